import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TurnTime } from './turn-time.ts';
import { Turn } from './turn.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function begin(): { readonly turn: Turn; readonly steps: readonly string[] } {
  const steps: string[] = [];
  const turn = new Turn(
    {
      cancelAtAgent: () => steps.push('sent'),
      cancelRequest: () => steps.push('request cancelled'),
      endAgent: () => steps.push('ended'),
    },
    new TurnTime({ onNearly: () => {} }),
  );
  turn.questionSignal.addEventListener('abort', () => steps.push('questions answered'));
  return { turn, steps };
}

test('a cancel notifies the agent, answers open requests, cancels the request, and terminates the agent after the grace period', () => {
  const { turn, steps } = begin();

  turn.cancel(5000);
  expect(steps).toEqual(['sent', 'questions answered']);

  vi.advanceTimersByTime(3999);
  expect(steps).toEqual(['sent', 'questions answered']);
  vi.advanceTimersByTime(1);
  expect(steps).toEqual(['sent', 'questions answered', 'request cancelled']);
  vi.advanceTimersByTime(999);
  expect(turn.isAgentEnded).toBe(false);
  vi.advanceTimersByTime(1);
  expect(steps).toEqual(['sent', 'questions answered', 'request cancelled', 'ended']);
  expect(turn.isAgentEnded).toBe(true);
});

test('a second cancel does not extend the grace period', () => {
  const { turn, steps } = begin();
  turn.cancel(5000);
  vi.advanceTimersByTime(1000);

  turn.cancel(60_000);
  vi.advanceTimersByTime(4000);

  expect(steps).toEqual(['sent', 'questions answered', 'request cancelled', 'ended']);
});

test('a second cancel can shorten the grace period, and sends nothing again', () => {
  const { turn, steps } = begin();
  turn.cancel(5000);
  vi.advanceTimersByTime(1000);

  turn.cancel(500);
  vi.advanceTimersByTime(500);

  expect(steps).toEqual(['sent', 'questions answered', 'request cancelled', 'ended']);
});

test('a grace period shortened at its end does not cancel the request twice', () => {
  const { turn, steps } = begin();
  turn.cancel(5000);
  vi.advanceTimersByTime(4500);

  turn.cancel(0);
  vi.advanceTimersToNextTimer();
  vi.advanceTimersToNextTimer();

  expect(steps).toEqual(['sent', 'questions answered', 'request cancelled', 'ended']);
});

test('a turn that ends in time keeps its agent', async () => {
  const { turn, steps } = begin();
  turn.cancel(5000);

  turn.end();
  vi.advanceTimersByTime(60_000);

  await turn.ended;
  expect(steps).toEqual(['sent', 'questions answered']);
});
