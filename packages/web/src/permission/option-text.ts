import type { PermissionOption } from '@parley/acp';
import type { Texts } from '../text/en.ts';

/** The effect of an option, and the agent's name for it. */
export interface OptionText {
  readonly label: string;
  /** The agent's name in quotes, if it says something else. */
  readonly name?: string;
}

/** Labels an option by its kind, because its name comes from the agent and may say anything. */
export function optionText(
  option: PermissionOption,
  { optionKinds, unknownOption }: Pick<Texts['inbox'], 'optionKinds' | 'unknownOption'>,
): OptionText {
  const label =
    option.kind === 'unknown' ? unknownOption(JSON.stringify(kindOf(option))) : optionKinds[option.kind];
  const isSame = [label, ...(plainNames.get(option.kind) ?? [])].some(
    (same) => same.toLowerCase() === option.name.trim().toLowerCase(),
  );
  return { label, ...(!isSame && { name: JSON.stringify(option.name) }) };
}

/** Names of agents that say no more than the kind does, in any language of the interface. */
const plainNames: ReadonlyMap<PermissionOption['kind'], readonly string[]> = new Map([
  ['allow_once', ['Allow', 'Allow once']],
  ['allow_always', ['Allow always', 'Always allow']],
  ['reject_once', ['Reject', 'Reject once']],
  ['reject_always', ['Reject always', 'Always reject']],
]);

/** The same in one line. */
export function optionLine(option: PermissionOption, inbox: Texts['inbox']): string {
  const { label, name } = optionText(option, inbox);
  return name === undefined ? label : `${label} ${name}`;
}

/** The agent's word for an unknown kind. */
function kindOf({ raw, kind }: PermissionOption): string {
  const given: unknown = typeof raw === 'object' && raw !== null ? Reflect.get(raw, 'kind') : undefined;
  return typeof given === 'string' ? given : kind;
}
