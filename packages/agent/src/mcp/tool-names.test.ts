import { expect, test } from 'vitest';
import { ToolNames } from './tool-names.ts';

test('a name contains server and tool, in characters that models accept', () => {
  expect(new ToolNames().take('my server', 'do.it/now')).toBe('mcp__my_server__do_it_now');
});

test('names are unique and not too long', () => {
  const names = new ToolNames();
  const given = ['a b', 'a_b', 'a.b', 'x'.repeat(80), 'x'.repeat(81)].map((tool) => names.take('s', tool));
  expect(given.slice(0, 3)).toEqual(['mcp__s__a_b', 'mcp__s__a_b_2', 'mcp__s__a_b_3']);
  expect(new Set(given).size).toBe(5);
  expect(given.every((name) => name.length <= 64)).toBe(true);
});
