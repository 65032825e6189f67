import type { PermissionOption } from '@parley/acp';
import type { Texts } from '../text/en.ts';

/** What an option does, and what the agent calls it. */
export interface OptionText {
  readonly label: string;
  /** In quotes, where it says something else. */
  readonly name?: string;
}

/** Labels an option by its kind: its name is the agent's, and may say anything. */
export function optionText(
  option: PermissionOption,
  { optionKinds, unknownOption }: Pick<Texts['inbox'], 'optionKinds' | 'unknownOption'>,
): OptionText {
  const label =
    option.kind === 'unknown' ? unknownOption(JSON.stringify(kindOf(option))) : optionKinds[option.kind];
  const isSame = option.name.trim().toLowerCase() === label.toLowerCase();
  return { label, ...(!isSame && { name: JSON.stringify(option.name) }) };
}

/** The same in one line. */
export function optionLine(option: PermissionOption, inbox: Texts['inbox']): string {
  const { label, name } = optionText(option, inbox);
  return name === undefined ? label : `${label} ${name}`;
}

/** What the agent calls a kind that is not known here. */
function kindOf({ raw, kind }: PermissionOption): string {
  const given: unknown = typeof raw === 'object' && raw !== null ? Reflect.get(raw, 'kind') : undefined;
  return typeof given === 'string' ? given : kind;
}
