import { expect, test } from 'vitest';
import { mcpFingerprint } from './mcp-fingerprint.ts';

const one = { name: 'one', command: '/one', args: ['x'], env: [{ name: 'KEY', value: 'secret' }] };
const two = { name: 'two', command: '/two', args: [], env: [] };

test('the order of fields does not change the fingerprint', async () => {
  const { name, ...rest } = one;
  expect(await mcpFingerprint([{ ...rest, name }])).toBe(await mcpFingerprint([one]));
});

test('the entries and their order change the fingerprint', async () => {
  const lists = [[], [one], [two], [one, two], [two, one], [{ ...one, args: [] }]];
  const prints = await Promise.all(lists.map((list) => mcpFingerprint(list)));
  expect(new Set(prints).size).toBe(lists.length);
  expect(prints.join()).not.toContain('secret');
});
