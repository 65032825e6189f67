import { invalidParams, invalidRequest } from '@parley/acp';
import type { SessionConfigOption } from '@parley/acp';
import type { RpcError } from '@parley/wire';
import type { Dialect } from '../dialect.ts';
import { modes } from '../permission/mode.ts';
import type { Conversation } from './conversation.ts';
import { refuseOtherKeys } from './refuse-other-keys.ts';

/** The settings of a conversation, as the client shows them. */
export function configOptions(conversation: Conversation): SessionConfigOption[] {
  const thought = conversation.model.toThoughtOption();
  return [
    conversation.model.toConfigOption(),
    {
      id: 'mode',
      name: 'Mode',
      category: 'mode',
      type: 'select',
      currentValue: conversation.mode,
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
 * Sets an option of a conversation.
 *
 * @param raw The unmodified request: unknown keys are rejected by name.
 */
export async function setConfigOption(
  conversation: Conversation,
  { configId, value }: OptionChange,
  { raw, dialect }: { readonly raw: unknown; readonly dialect?: Dialect },
): Promise<void> {
  // The protocol has `_meta` everywhere; source document 001, C.8, has it nowhere.
  refuseOtherKeys(raw, ['sessionId', 'configId', 'value', ...(dialect === undefined ? ['_meta'] : [])]);
  switch (configId) {
    case 'model':
      await conversation.setModel(toText(value));
      return;
    case 'mode':
      if (!modes.some(({ id }) => id === value)) throw invalidParams('value', 'the id of a mode');
      conversation.setMode(toText(value));
      return;
    case 'thought_level':
      if (conversation.model.toThoughtOption() === undefined) throw unknownOption(conversation, dialect);
      conversation.setThoughtLevel(toText(value));
      return;
    default:
      throw unknownOption(conversation, dialect);
  }
}

function unknownOption(conversation: Conversation, dialect: Dialect | undefined): RpcError {
  const known = configOptions(conversation).map(({ id }) => `"${id}"`);
  const expected = known.join(' or ');
  return dialect === 'agentao'
    ? invalidRequest(`unknown configId: expected ${expected}`)
    : invalidParams('configId', expected);
}

function toText(value: unknown): string {
  if (typeof value !== 'string') throw invalidParams('value', 'a text');
  return value;
}
