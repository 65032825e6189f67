import type { PermissionOption } from '@parley/acp';
import { toHonestText } from '@parley/host/state';
import type { Block, Line, Screen } from './rows.ts';

/** What an option does, regardless of its name. */
function optionLabel(option: PermissionOption): string {
  switch (option.kind) {
    case 'allow_once':
      return 'Allow once';
    case 'allow_always':
      return 'Allow always';
    case 'reject_once':
      return 'Reject once';
    case 'reject_always':
      return 'Reject always';
    case 'unknown':
      return `Unknown kind ${quotedName(kindOf(option))}`;
  }
}

/** What the agent calls an option, quoted; absent where that is the same. */
function optionName(option: PermissionOption): string | undefined {
  const isSame = option.name.trim().toLowerCase() === optionLabel(option).toLowerCase();
  return isSame ? undefined : quotedName(option.name);
}

/** What an option does, and what the agent calls it, in one line. */
export function toOptionText(option: PermissionOption): string {
  const name = optionName(option);
  return name === undefined ? optionLabel(option) : `${optionLabel(option)} ${name}`;
}

/** An option, by what it does, with what the agent calls it. */
export function optionBlock(option: PermissionOption, before: string, { style }: Screen): Block {
  const label = optionLabel(option);
  const name = optionName(option);
  const isKnown = option.kind !== 'unknown';
  const line: Line =
    isKnown && name !== undefined
      ? { before: `${before}${label}  `, text: name, paint: style.dim }
      : { before, text: name === undefined ? label : `${label}: ${name}` };
  return { lines: [line], limit: 3 };
}

function kindOf({ raw, kind }: PermissionOption): string {
  const given: unknown = typeof raw === 'object' && raw !== null ? Reflect.get(raw, 'kind') : undefined;
  return typeof given === 'string' ? given : kind;
}

/** Quoted, so that its beginning and end are plain. */
function quotedName(name: string): string {
  return toHonestText(JSON.stringify(name));
}
