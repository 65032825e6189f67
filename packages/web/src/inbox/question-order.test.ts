import type { ToolKind } from '@parley/acp';
import type { HubQuestion, HubSession } from '@parley/host/hub';
import { expect, test } from 'vitest';
import { agentsOf, chooseQuestions, neighbour } from './question-order.ts';

function session(key: string, agent: string): HubSession {
  return { key, agent, cwd: '/w', state: 'waiting', createdAt: 0, updatedAt: 0, questions: 1, queue: [] };
}

function ask(requestId: string, key: string, since: number, kind: ToolKind): HubQuestion {
  const request = { sessionId: key, toolCall: { toolCallId: '1', kind }, options: [] };
  return {
    kind: 'permission',
    key,
    requestId,
    since,
    request,
    action: { kind, files: [], texts: [] },
    why: '',
  };
}

const sessions = new Map([
  ['s', session('s', 'parley')],
  ['t', session('t', 'gemini')],
]);
const questions: readonly HubQuestion[] = [
  ask('read', 's', 1, 'read'),
  ask('edit', 't', 2, 'edit'),
  ask('run', 's', 4, 'execute'),
  ask('delete', 't', 3, 'delete'),
  { kind: 'sign-in', key: 't', requestId: 'sign-in', since: 0, agent: 'gemini', methods: [] },
];

function ids(choice: Parameters<typeof chooseQuestions>[2]): readonly string[] {
  return chooseQuestions(questions, sessions, choice).map(({ requestId }) => requestId);
}

test('questions are sorted by age, or by risk and then age', () => {
  expect(ids({ order: 'oldest' })).toEqual(['sign-in', 'read', 'edit', 'delete', 'run']);
  expect(ids({ order: 'risk' })).toEqual(['delete', 'run', 'edit', 'read', 'sign-in']);
});

test('only matching questions are listed', () => {
  expect(ids({ order: 'oldest', agent: 'gemini', kind: 'permission' })).toEqual(['edit', 'delete']);
  expect(ids({ order: 'oldest', session: 's' })).toEqual(['read', 'run']);
});

test('each waiting agent is listed once', () => {
  expect(agentsOf(questions, sessions)).toEqual(['gemini', 'parley']);
});

test('moving between cards stops at both ends', () => {
  expect([neighbour(0, -1, 3), neighbour(0, 1, 3), neighbour(2, 1, 3)]).toEqual([0, 1, 2]);
});
