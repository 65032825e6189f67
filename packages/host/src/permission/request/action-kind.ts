import type { ToolCallUpdate, ToolKind } from '@parley/acp';
import { commandOf } from './command.ts';
import { addressesOf, namesCode } from './input-contents.ts';

/** The kinds from harmless to harmful. If a call claims or shows several, the most harmful one applies. */
const byStrictness: readonly ToolKind[] = [
  'think',
  'search',
  'read',
  'edit',
  'move',
  'delete',
  'fetch',
  'switch_mode',
  'other',
  'execute',
];

/** The stricter of two kinds. */
export function stricterKind(left: ToolKind, right: ToolKind): ToolKind {
  return byStrictness.indexOf(left) >= byStrictness.indexOf(right) ? left : right;
}

/**
 * The strictest kind that a call claims or shows: with something to be run it is `execute`, with an address at least `fetch`, with a
 * diff at least `edit`.
 */
export function claimedKind(call: ToolCallUpdate): ToolKind | undefined {
  const shown = shownKinds(call);
  if (call.kind === undefined) return shown.length === 0 ? undefined : shown.reduce(stricterKind);
  return shown.reduce(stricterKind, call.kind);
}

/** What a call shows itself to be, regardless of its name. */
export function shownKinds({ rawInput, content }: ToolCallUpdate): readonly ToolKind[] {
  return [
    ...(commandOf(rawInput) !== undefined || namesCode(rawInput) ? (['execute'] as const) : []),
    ...(addressesOf(rawInput).length > 0 ? (['fetch'] as const) : []),
    ...((content ?? []).some(({ type }) => type === 'diff') ? (['edit'] as const) : []),
  ];
}
