import type { PermissionOption, ToolKind } from '@parley/acp';
import type { PermissionQuestion } from '@parley/host/hub';
import { expect, test } from 'vitest';
import { likenessOf, riskOf, toRejection } from './permission-choice.ts';

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

test('a call is rejected by the plain reject option; without one it is dismissed', () => {
  const never: PermissionOption = { optionId: 'never', name: 'Never', kind: 'reject_always' };
  expect(toRejection(question([never, reject]), 'use pnpm')).toEqual({
    kind: 'option',
    optionId: 'n',
    reason: 'use pnpm',
  });
  expect(toRejection(question([allow, never]))).toEqual({ kind: 'cancel' });
});

test('requests of one kind are alike in all sessions and agents; opaque ones, and those with further options, are not', () => {
  const plain = likenessOf(question([allow, reject]));
  expect(plain).toBeDefined();
  expect(likenessOf(question([allow, reject], { key: 'other', requestId: 'q2' }))).toBe(plain);
  expect(likenessOf(question([{ ...allow, name: 'Approve' }, always, reject]))).toBe(plain);
  const read = { kind: 'read', files: [], texts: [] } as const;
  expect(likenessOf(question([allow, reject], { action: read }))).not.toBe(plain);
  expect(likenessOf(question([allow, reject], { opaque: true }))).toBeUndefined();
  expect(likenessOf(question([allow]))).toBeUndefined();
  expect(likenessOf(question([allow, { ...allow, optionId: 'z' }, reject]))).toBeUndefined();
});

test('running and deleting are riskier than editing, which is riskier than fetching and reading', () => {
  const kinds: ToolKind[] = ['read', 'fetch', 'edit', 'execute', 'delete', 'other'];
  expect(kinds.map(riskOf)).toEqual([1, 2, 3, 4, 4, 4]);
});
