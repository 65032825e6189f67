import type { PermissionOption, ToolKind } from '@parley/acp';
import type { PermissionQuestion } from '@parley/host/hub';
import { expect, test } from 'vitest';
import { likenessOf, riskOf, toChoices, toRejection } from './permission-choice.ts';

const allow: PermissionOption = { optionId: 'y', name: 'Yes', kind: 'allow_once' };
const always: PermissionOption = { optionId: 'ya', name: 'Yes, always', kind: 'allow_always' };
const reject: PermissionOption = { optionId: 'n', name: 'No', kind: 'reject_once' };

function question(
  options: readonly PermissionOption[],
  changed: Partial<PermissionQuestion> = {},
): PermissionQuestion {
  const request = { sessionId: 's', toolCall: { toolCallId: '1', kind: 'execute' as const }, options };
  const action = { kind: 'execute', files: [], texts: [] } as const;
  return {
    kind: 'permission',
    key: 'k',
    requestId: 'q',
    since: 0,
    request,
    action,
    why: 'it is asked',
    ...changed,
  };
}

test('options of the same kind stay apart, only the first has the letter, and those for longer come last', () => {
  const other = { ...allow, optionId: 'y2', name: 'Yes, with edits' };
  const choices = toChoices([always, allow, other, reject]);
  expect(choices.map(({ keys }) => keys)).toEqual([['a', '1'], ['2'], ['r', '3'], ['4']]);
  expect(choices.at(-1)?.option).toBe(always);
});

test('a call is rejected by the option that says no more than that; without one it is dismissed', () => {
  const never: PermissionOption = { optionId: 'never', name: 'Never', kind: 'reject_always' };
  expect(toRejection(question([never, reject]), 'use pnpm')).toEqual({
    kind: 'option',
    optionId: 'n',
    reason: 'use pnpm',
  });
  expect(toRejection(question([allow, never]))).toEqual({ kind: 'cancel' });
});

test('questions are alike by session, kind, tool and options; an opaque one is like no other', () => {
  expect(likenessOf(question([allow, reject]))).toBe(
    likenessOf(question([allow, reject], { requestId: 'q2' })),
  );
  expect(likenessOf(question([allow, reject]))).not.toBe(likenessOf(question([allow, always, reject])));
  expect(likenessOf(question([allow, reject], { key: 'other' }))).not.toBe(
    likenessOf(question([allow, reject])),
  );
  expect(likenessOf(question([allow], { opaque: true }))).toBeUndefined();
});

test('what runs or deletes is riskier than what edits, and that than what fetches or reads', () => {
  const kinds: ToolKind[] = ['read', 'fetch', 'edit', 'execute', 'delete', 'other'];
  expect(kinds.map(riskOf)).toEqual([1, 2, 3, 4, 4, 4]);
});
