import type { SignInQuestion } from '@parley/host/hub';
import type { TurnState } from '@parley/host/state';
import { expect, test } from 'vitest';
import { en } from '../text/en.ts';
import { describeEnd, endingOf, offersSignIn, wantsSignIn } from './turn-ending.ts';

const turn: TurnState = { turnId: 't', number: 1, startedAt: 0, state: 'ended' };
const say = (state: Partial<TurnState>): string =>
  describeEnd({ ...turn, ...state }, en.conversation).join('. ');

test('a turn that ended normally is shown as done', () => {
  expect(say({ stopReason: 'end_turn' })).toBe('Finished');
  expect(endingOf({ ...turn, stopReason: 'end_turn' })).toBe('good');
});

test('a cancelled turn is not a failure; one that reached a limit is', () => {
  expect(endingOf({ ...turn, stopReason: 'cancelled', cancel: 'asked' })).toBe('stopped');
  expect(endingOf({ ...turn, stopReason: 'cancelled', reached: 'silence' })).toBe('bad');
  expect(say({ stopReason: 'cancelled', reached: 'silence' })).toMatch(/^Cancelled\. .*the agent was silent/);
});

test('an error is shown with its code', () => {
  expect(say({ error: { code: -32603, message: 'out of tape' } })).toBe(
    'The turn failed (-32603): out of tape',
  );
});

test('an unknown reason is shown unchanged', () => {
  expect(say({ stopReason: 'bored' })).toBe('Ended: bored');
  expect(say({ stopReason: 'constructor' })).toBe('Ended: constructor');
});

test('a turn without a recorded end has an unknown outcome', () => {
  expect(say({ state: 'unknown' })).toContain('may or may not have completed');
});

test('a turn that failed without a sign-in says how to sign in only if no card does', () => {
  const method = { id: 'pass', name: 'Pass', kind: 'agent' } as const;
  const card: SignInQuestion = {
    key: 'here',
    requestId: 'r',
    since: 0,
    kind: 'sign-in',
    agent: 'a',
    methods: [method],
    commands: {},
  };

  expect(wantsSignIn({ ...turn, error: { code: 'auth-required', message: 'm' } })).toBe(true);
  expect(wantsSignIn({ ...turn, error: { code: -32603, message: 'm' } })).toBe(false);
  expect(offersSignIn([card], 'here')).toBe(true);
  expect(offersSignIn([card], 'elsewhere')).toBe(false);
  expect(offersSignIn([{ ...card, methods: [] }], 'here')).toBe(false);
});
