import { emptyState, reduce, type LoggedEntry, type SessionState } from '@parley/host/state';
import { expect, test } from 'vitest';
import { judgeEscape, stopStep } from './stop.ts';

function viewOf(entries: readonly LoggedEntry[]): SessionState {
  return entries.reduce(
    (view, entry, index) => reduce(view, { seq: index + 1, time: 0, ...entry }),
    emptyState,
  );
}

const running: readonly LoggedEntry[] = [
  { type: 'session-ready', sessionId: 's' },
  { type: 'turn-start', sessionId: 's', turnId: '1', prompt: [] },
];

test('a running turn can be stopped', () => {
  expect(stopStep({ state: 'running' }, viewOf(running))).toBe('running');
  expect(stopStep({ state: 'waiting' }, viewOf(running))).toBe('running');
  expect(stopStep({ state: 'running' }, emptyState)).toBe('running');
});

test('a turn of a session that this hub does not run cannot be stopped', () => {
  expect(stopStep({ state: 'kept' }, viewOf(running))).toBe('none');
  expect(stopStep({ state: 'elsewhere' }, viewOf(running))).toBe('none');
  expect(stopStep(undefined, viewOf(running))).toBe('none');
});

test('each step of stopping is shown', () => {
  const after = (...steps: readonly ('asked' | 'request-cancelled' | 'agent-ended')[]): string =>
    stopStep(
      { state: 'stopping' },
      viewOf([
        ...running,
        ...steps.map((step) => ({ type: 'turn-cancel', sessionId: 's', turnId: '1', step }) as const),
      ]),
    );

  expect(after()).toBe('asked');
  expect(after('asked')).toBe('asked');
  expect(after('asked', 'request-cancelled')).toBe('request-cancelled');
  expect(after('asked', 'request-cancelled', 'agent-ended')).toBe('agent-ended');
});

test('an agent that is ending without a turn has nothing to stop', () => {
  expect(stopStep({ state: 'stopping' }, emptyState)).toBe('none');
});

test('Escape stops a turn only if it is pressed twice', () => {
  expect(judgeEscape({ step: 'running', now: 0 })).toBe('arm');
  expect(judgeEscape({ step: 'running', now: 2000, armedAt: 0 })).toBe('stop');
  expect(judgeEscape({ step: 'running', now: 2001, armedAt: 0 })).toBe('arm');
});

test('Escape during stopping skips the waiting time', () => {
  expect(judgeEscape({ step: 'asked', now: 0 })).toBe('arm');
  expect(judgeEscape({ step: 'asked', now: 500, armedAt: 0 })).toBe('hurry');
  expect(judgeEscape({ step: 'request-cancelled', now: 500, armedAt: 0 })).toBe('hurry');
});

test('Escape does nothing without a running turn', () => {
  expect(judgeEscape({ step: 'none', now: 0 })).toBe('nothing');
  expect(judgeEscape({ step: 'agent-ended', now: 0, armedAt: 0 })).toBe('nothing');
});
