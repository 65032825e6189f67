import {
  Invalid,
  parseStrict,
  type OptionValues,
  type ReceivedAgentInfo,
  type ReceivedTurnEvent,
} from '@parley/aap';
import { invalidParams, type SessionConfigOption, type SessionUpdate } from '@parley/acp';
import type { ServerSession } from './server-session.ts';

/** What a client may choose: options that are free text, or secret, have no place in ACP. */
export function toConfigOptions(
  { options = [] }: ReceivedAgentInfo,
  values: OptionValues,
): readonly SessionConfigOption[] {
  return options.flatMap((option): readonly SessionConfigOption[] => {
    if (option.type !== 'select') return [];
    const { name, title = name, description } = option;
    const current = values[name] ?? option.default;
    const all = option.options.includes(current) ? option.options : [current, ...option.options];
    return [
      {
        type: 'select',
        id: name,
        name: title,
        ...(description !== undefined && { description }),
        ...(categories.has(name) && { category: name }),
        currentValue: current,
        options: all.map((value) => ({ value, name: value })),
      },
    ];
  });
}

/** Names of options whose name is also their category. */
const categories: ReadonlySet<string> = new Set(['mode', 'model', 'thought_level']);

/** An option with a value that the agent offers. */
export function toOptionChange(
  { options = [] }: ReceivedAgentInfo,
  name: string,
  value: string | boolean,
): OptionValues {
  const option = options.find((candidate) => candidate.type === 'select' && candidate.name === name);
  if (option?.type !== 'select') throw invalidParams('configId', 'the id of a config option of the session');
  if (typeof value !== 'string' || !option.options.includes(value)) {
    throw invalidParams('value', 'a value of the config option');
  }
  return { [name]: value };
}

/** A server of ours reports when an agent changed options by itself. */
export function toOptionUpdate(
  event: ReceivedTurnEvent,
  session: ServerSession,
  info: ReceivedAgentInfo,
): SessionUpdate | undefined {
  if (event.event !== 'unknown' || event.raw['event'] !== 'options') return undefined;
  const options = parseStrict('OptionValues', event.raw['options']);
  if (options instanceof Invalid) return undefined;
  session.learn(options);
  return { sessionUpdate: 'config_option_update', configOptions: toConfigOptions(info, session.options) };
}
