import { expect, test } from 'vitest';
import { cutToColumns, toColumns } from './columns.ts';

test('columns align where characters are two columns wide', () => {
  expect(
    toColumns([
      ['AGENT', 'TITLE'],
      ['文心', 'a'],
      ['codex', '修复测试'],
    ]),
  ).toEqual(['AGENT  TITLE', '文心   a', 'codex  修复测试']);
});

test.each([
  ['abcdef', 6, 'abcdef'],
  ['abcdefg', 6, 'abcde…'],
  ['修复测试', 8, '修复测试'],
  ['修复测试用', 8, '修复测…'],
  ['a😀😀😀', 6, 'a😀😀…'],
])('%j on %i columns is %j', (line, columns, cut) => {
  expect(cutToColumns(line, columns)).toBe(cut);
});
