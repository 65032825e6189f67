import { parseSessionUpdate, Invalid } from '@parley/acp';
import type { UpdateEvent } from '@parley/host';
import { emptyState, reduce } from '@parley/host/state';
import { expect, test } from 'vitest';
import { SubagentFolds } from './subagent-folds.ts';

const running = { state: 'running' };

function event(update: object, subagent?: string): UpdateEvent {
  const view = parseSessionUpdate(update);
  if (view instanceof Invalid) throw new Error(view.message);
  const mark = subagent === undefined ? {} : { subagent };
  return {
    type: 'update',
    sessionId: 's',
    update,
    text: undefined,
    view,
    late: false,
    replay: false,
    ...mark,
  };
}

function announced(sessionId: string, fields: object = {}, parent?: string): UpdateEvent {
  return event({ sessionUpdate: 'subagent_update', sessionId, ...fields }, parent);
}

function said(sessionId: string, text: string): UpdateEvent {
  return event({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } }, sessionId);
}

test('a sub-agent is one line when it is announced and when it becomes idle, and no other', () => {
  const folds = new SubagentFolds();
  expect(folds.take(announced('kid', { title: 'Worker', state: running }))).toBe(
    '▸ 1 Sub-agent "Worker" (running) · /subagents 1 expands it',
  );
  expect(folds.take(said('kid', 'one\ntwo\n'))).toBeUndefined();
  expect(folds.take(announced('kid', { title: 'Lead' }))).toBeUndefined();
  const idle = { state: 'idle', stopReason: 'end_turn' };
  expect(folds.take(announced('kid', { state: idle }))).toBe('▸ 1 Sub-agent "Lead" (idle: end_turn)');
  expect(folds.take(announced('kid', { state: idle }))).toBeUndefined();
});

test('an expanded sub-agent shows its lines and tool calls until it is collapsed', () => {
  const folds = new SubagentFolds();
  folds.take(announced('kid', { title: 'Worker', state: running }));
  expect([folds.idOf(1), folds.idOf(2)]).toEqual(['kid', undefined]);
  expect(folds.toggle('kid')).toEqual({ line: '▾ 1 Sub-agent "Worker" (running)', isUnfolded: true });
  expect(folds.take(said('kid', 'The cl'))).toBeUndefined();
  expect(folds.take(said('kid', 'ock\nis \u001b[31mwrong'))).toBe('    The clock');
  const call = { toolCallId: 'c', title: 'Search', kind: 'search' };
  expect(folds.take(event({ sessionUpdate: 'tool_call', ...call }, 'kid'))).toMatch(
    /^ {4}is .*wrong\n {4}• Search$/u,
  );
  expect(folds.take(said('kid', 'x'.repeat(3000)))).toHaveLength(2004);
  expect(folds.toggle('kid')).toEqual({ line: '▸ 1 Sub-agent "Worker" (running)', isUnfolded: false });
  expect(folds.take(said('kid', 'more\n'))).toBeUndefined();
});

test('the list shows each sub-agent under its parent by its newest title, including those of the stored session', () => {
  const folds = new SubagentFolds();
  folds.take(announced('late', { title: 'Late' }));
  const stored = [
    announced('kid', { title: 'Old' }),
    announced('below', {}, 'kid'),
    announced('kid', { title: 'New' }),
  ];
  folds.know(
    stored.reduce((state, { update, subagent }) => {
      const mark = subagent === undefined ? {} : { subagent };
      return reduce(state, { type: 'update', update, ...mark, seq: state.seq + 1, time: 1 });
    }, emptyState),
  );
  expect(folds.list()).toEqual([
    '▸ 1 Sub-agent "Late" (unknown)',
    '▸ 2 Sub-agent "New" (unknown)',
    '  ▸ 3 Sub-agent "below" (unknown)',
  ]);
});
