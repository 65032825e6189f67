import type { PermissionOption, ToolKind } from '@parley/acp';
import type { HubAnswer, PermissionQuestion } from '@parley/host/hub';

/** One of the agent's options, as it can be chosen. */
export interface PermissionChoice {
  readonly option: PermissionOption;
  /** What it means, regardless of its name. */
  readonly meaning: 'allow' | 'reject' | 'unknown';
  /** It counts for longer, as the agent understands it. */
  readonly isAlways: boolean;
  /** The keys that choose it. */
  readonly keys: readonly string[];
}

/**
 * The agent's options, none merged with another: first those for this one call, then the others, both in its order. Each
 * has a digit, the first of "once" a letter too.
 */
export function toChoices(options: readonly PermissionOption[]): readonly PermissionChoice[] {
  const ordered = [...options.filter(isForOnce), ...options.filter((option) => !isForOnce(option))];
  return ordered.map((option, index) => {
    const letter = letterOf(option, options);
    const keys = [...(letter === undefined ? [] : [letter]), ...(index < 9 ? [String(index + 1)] : [])];
    return { option, meaning: meaningOf(option), isAlways: isAlways(option), keys };
  });
}

/** The option that rejects this one call, and no more than that. */
export function rejectionOf(options: readonly PermissionOption[]): PermissionOption | undefined {
  return options.find(({ kind }) => kind === 'reject_once');
}

/** What rejects a call, with why; where the agent offers nothing that does, it is to say nothing. */
export function toRejection({ request: { options } }: PermissionQuestion, reason?: string): HubAnswer {
  const option = rejectionOf(options);
  if (option === undefined) return { kind: 'cancel' };
  return { kind: 'option', optionId: option.optionId, ...(reason !== undefined && { reason }) };
}

/** Questions that are the same but for what they are about: they may be answered alike. An opaque one is like no other. */
export function likenessOf({ request, action, opaque, key }: PermissionQuestion): string | undefined {
  if (opaque === true) return undefined;
  const offered = request.options.map(({ kind, name }) => [kind, name]);
  return JSON.stringify([key, action.kind, action.tool, offered]);
}

/** How much may be lost by a call of this kind; the highest first. */
export function riskOf(kind: ToolKind | undefined): number {
  switch (kind) {
    case 'execute':
    case 'delete':
    case 'other':
    case undefined:
      return 4;
    case 'edit':
    case 'move':
    case 'switch_mode':
      return 3;
    case 'fetch':
      return 2;
    case 'read':
    case 'search':
    case 'think':
      return 1;
  }
}

function letterOf(option: PermissionOption, options: readonly PermissionOption[]): string | undefined {
  const isFirst = options.find(({ kind }) => kind === option.kind) === option;
  if (!isFirst) return undefined;
  if (option.kind === 'allow_once') return 'a';
  return option.kind === 'reject_once' ? 'r' : undefined;
}

function meaningOf({ kind }: PermissionOption): PermissionChoice['meaning'] {
  switch (kind) {
    case 'allow_once':
    case 'allow_always':
      return 'allow';
    case 'reject_once':
    case 'reject_always':
      return 'reject';
    case 'unknown':
      return 'unknown';
  }
}

function isForOnce({ kind }: PermissionOption): boolean {
  return kind === 'allow_once' || kind === 'reject_once';
}

function isAlways({ kind }: PermissionOption): boolean {
  return kind === 'allow_always' || kind === 'reject_always';
}
