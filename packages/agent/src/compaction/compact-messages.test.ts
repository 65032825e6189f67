import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ModelMessage } from '../model/model.ts';
import { compactMessages, countRecent, summaryHead } from './compact-messages.ts';

const user = (text: string): ModelMessage => ({ role: 'user', text });
const says = (text: string): ModelMessage => ({ role: 'assistant', text, toolCalls: [] });
const calls = (...ids: readonly string[]): ModelMessage => ({
  role: 'assistant',
  text: '',
  toolCalls: ids.map((id) => ({ id, name: 'read', input: {} })),
});
const results = (...ids: readonly string[]): ModelMessage => ({
  role: 'tool',
  results: ids.map((id) => ({ id, name: 'read', isError: false, text: 'result' })),
});
const summary = { compactionId: 'c', text: 'short' };

test('a summary replaces older messages by a prompt and a response', () => {
  const messages = [user('a'), says('b'), user('c'), says('d')];
  expect(compactMessages(messages, { summary, kept: 2, keepsPrompt: true })).toEqual([
    user(`${summaryHead}\n\nshort`),
    { role: 'assistant', text: expect.any(String), toolCalls: [] },
    user('c'),
    says('d'),
  ]);
});

test('the prompt of the running turn stays, even if its first steps are removed', () => {
  const messages = [user('old'), says('x'), user('now'), calls('1'), results('1'), calls('2'), results('2')];
  const compacted = compactMessages(messages, { summary, kept: 2, keepsPrompt: true });
  expect(compacted.slice(2)).toEqual([user('now'), calls('2'), results('2')]);
});

test('without a summary older messages are dropped', () => {
  const messages = [user('a'), says('b'), user('c')];
  expect(compactMessages(messages, { kept: 0, keepsPrompt: true })).toEqual([user('c')]);
  expect(compactMessages(messages, { kept: 0, keepsPrompt: false })).toEqual([]);
});

test('a cut between a call and its result removes the result too', () => {
  const messages = [user('a'), calls('1'), results('1'), says('b')];
  expect(compactMessages(messages, { kept: 2, keepsPrompt: true })).toEqual([user('a'), says('b')]);
});

test('recent messages are counted in complete steps', () => {
  const messages = [user('aaaa'), calls('1'), results('1'), says('bbbb')];
  expect(countRecent(messages, 4)).toBe(1);
  expect(countRecent(messages, 11)).toBe(1);
  expect(countRecent(messages, 12)).toBe(3);
  expect(countRecent(messages, 100)).toBe(4);
});

const steps = fc.array(
  fc.record({
    prompt: fc.string(),
    rounds: fc.array(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.string()), { maxLength: 4 }),
    answer: fc.string(),
  }),
  { minLength: 1, maxLength: 6 },
);

test('after any compaction each call has its result and each result its call, and the last prompt stays', () => {
  fc.assert(
    fc.property(steps, fc.nat(40), fc.nat(400), fc.boolean(), (turns, kept, limitChars, isSummed) => {
      const messages = turns.flatMap(({ prompt, rounds, answer }, turn) => [
        user(`${String(turn)} ${prompt}`),
        ...rounds.flatMap(([count, text], round) => {
          const ids = Array.from(
            { length: count },
            (_, index) => `${String(turn)}-${String(round)}-${String(index)}`,
          );
          return [{ ...calls(...ids), text }, results(...ids)];
        }),
        says(answer),
      ]);
      for (const count of [kept, countRecent(messages, limitChars)]) {
        const compacted = compactMessages(messages, {
          kept: count,
          keepsPrompt: true,
          ...(isSummed && { summary }),
        });
        expect(compacted).toContain(messages.findLast(({ role }) => role === 'user'));
        for (const [index, message] of compacted.entries()) {
          const next = compacted[index + 1];
          const called = message.role === 'assistant' ? message.toolCalls.map(({ id }) => id) : [];
          const answered = next?.role === 'tool' ? next.results.map(({ id }) => id) : [];
          expect(answered).toEqual(called);
        }
        expect(compacted[0]?.role).not.toBe('tool');
      }
    }),
  );
});
