import { invalidParams, invalidRequest } from '@parley/acp';
import type { SessionConfigOption } from '@parley/acp';
import type { RpcError } from '@parley/wire';
import type { Dialect } from '../dialect.ts';
import { modes } from '../permission/mode.ts';
import { refuseOtherKeys } from './refuse-other-keys.ts';
import type { Session } from './session.ts';

/** The settings of a session, as the client shows them. */
export function configOptions(session: Session): SessionConfigOption[] {
  const thought = session.model.toThoughtOption();
  return [
    session.model.toConfigOption(),
    {
      id: 'mode',
      name: 'Mode',
      category: 'mode',
      type: 'select',
      currentValue: session.mode,
      options: modes.map(({ id: value, name, description }) => ({
        value,
        name,
        ...(description !== undefined && { description }),
      })),
    },
    ...(thought === undefined ? [] : [thought]),
  ];
}

/** A request that sets an option. */
export interface OptionChange {
  readonly configId: string;
  readonly value: unknown;
}

/**
 * Sets an option of a session.
 *
 * @param raw The unmodified request: unknown keys are rejected by name.
 */
export async function setConfigOption(
  session: Session,
  { configId, value }: OptionChange,
  { raw, dialect }: { readonly raw: unknown; readonly dialect?: Dialect },
): Promise<void> {
  // The protocol has `_meta` everywhere; source document 001, C.8, has it nowhere.
  refuseOtherKeys(raw, ['sessionId', 'configId', 'value', ...(dialect === undefined ? ['_meta'] : [])]);
  switch (configId) {
    case 'model':
      await session.setModel(toText(value));
      return;
    case 'mode':
      if (!modes.some(({ id }) => id === value)) throw invalidParams('value', 'the id of a mode');
      session.setMode(toText(value));
      return;
    case 'thought_level':
      if (session.model.toThoughtOption() === undefined) throw unknownOption(session, dialect);
      session.setThoughtLevel(toText(value));
      return;
    default:
      throw unknownOption(session, dialect);
  }
}

function unknownOption(session: Session, dialect: Dialect | undefined): RpcError {
  const known = configOptions(session).map(({ id }) => `"${id}"`);
  const expected = known.join(' or ');
  return dialect === 'agentao'
    ? invalidRequest(`unknown configId: expected ${expected}`)
    : invalidParams('configId', expected);
}

function toText(value: unknown): string {
  if (typeof value !== 'string') throw invalidParams('value', 'a text');
  return value;
}
