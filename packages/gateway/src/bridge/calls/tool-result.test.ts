import type { ToolCallContent } from '@parley/acp';
import { expect, test } from 'vitest';
import { toOutcome } from './tool-result.ts';

const text = (words: string): ToolCallContent => ({
  type: 'content',
  content: { type: 'text', text: words },
});

test('texts are joined, an image is a block', () => {
  const image: ToolCallContent = {
    type: 'content',
    content: { type: 'image', data: 'AAAA', mimeType: 'image/png' },
  };

  expect(toOutcome({ toolCallId: 'a', content: [text('one'), text('two')] }).content).toBe('one\ntwo');
  expect(toOutcome({ toolCallId: 'a', content: [text('see'), image] }).content).toEqual([
    { type: 'text', text: 'see' },
    { type: 'image', url: 'data:image/png;base64,AAAA' },
  ]);
});

test('a file change is a unified diff, and also complete', () => {
  const diff = { type: 'diff', path: '/x', oldText: 'a\nb\n', newText: 'a\nc\n' } as const;

  const { content, extras } = toOutcome({ toolCallId: 'a', content: [diff] });

  expect(content).toContain('--- /x');
  expect(content).toContain('\n-b\n+c\n');
  expect(extras).toEqual({ meta: { diffs: [{ path: '/x', oldText: 'a\nb\n', newText: 'a\nc\n' }] } });
});

test('a change that is too large is mentioned, without a diff', () => {
  const lines = (mark: string): string =>
    Array.from({ length: 30_000 }, (_, at) => `${mark}${at}\n`).join('');
  const diff = { type: 'diff', path: '/x', oldText: lines('a'), newText: lines('b') } as const;

  const { content, extras } = toOutcome({ toolCallId: 'a', content: [diff] });

  expect(content).toBe('/x: changed, too large to list line by line');
  expect(extras).toEqual({ meta: { diffs: [{ path: '/x', omitted: 'too-large' }] } });
});

test('without content the raw output is used: as text, by its field, or as JSON', () => {
  const outcome = (rawOutput: unknown): unknown => toOutcome({ toolCallId: 'a', rawOutput }).content;

  expect(outcome('made')).toBe('made');
  expect(outcome({ output: 'made', exitCode: 0 })).toBe('made');
  expect(outcome({ exitCode: 0 })).toBe('{"exitCode":0}');
  expect(outcome(undefined)).toBe('');
});

test('a failure is marked, in text and by a flag', () => {
  const call = { toolCallId: 'a', status: 'failed' } as const;

  expect(toOutcome({ ...call, content: [text('no such file')] })).toEqual({
    content: 'Failed: no such file',
    extras: { isError: true },
  });
  expect(toOutcome(call).content).toBe('Failed.');
});

test('a long result keeps its beginning and its end', () => {
  const { content } = toOutcome({ toolCallId: 'a', rawOutput: `begin${'x'.repeat(2_000_000)}end` });

  expect(content.length).toBeLessThan(1_000_100);
  expect(content).toMatch(/^begin.*characters are left out.*end$/s);
});
