import { emptyState, reduce, type SessionState } from '@parley/host/state';
import { expect, test } from 'vitest';
import { treeRows } from './tree-rows.ts';

function announced(...subagents: readonly (readonly [id: string, parent?: string])[]): SessionState {
  let state = emptyState;
  for (const [sessionId, parent] of subagents) {
    const update = { sessionUpdate: 'subagent_update', sessionId };
    const subagent = parent === undefined ? {} : { subagent: parent };
    state = reduce(state, { seq: state.seq + 1, time: 1, type: 'update', update, ...subagent });
  }
  return state;
}

test('each sub-agent is under its parent, in the order of announcement', () => {
  const state = announced(['a'], ['b'], ['a1', 'a'], ['a2', 'a'], ['a1x', 'a1']);
  expect(treeRows(state).map(({ subagent, depth }) => `${depth} ${subagent.sessionId}`)).toEqual([
    '0 a',
    '1 a1',
    '2 a1x',
    '1 a2',
    '0 b',
  ]);
});
