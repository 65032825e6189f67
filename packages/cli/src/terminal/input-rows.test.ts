import { expect, test } from 'vitest';
import { toInputRows } from './input-rows.ts';

const layout = { prompt: '> ', columns: 23, maxRows: 4 };

test('words are not broken, and the cursor is where the next character will appear', () => {
  expect(toInputRows('some words that are long', 24, layout)).toEqual({
    rows: ['> some words that are ', '  long'],
    cursor: { row: 1, column: 6 },
  });
});

test('Chinese and emoji take two columns', () => {
  expect(toInputRows('你好👨‍👩‍👧‍👦', 2, layout).cursor).toEqual({ row: 0, column: 6 });
  const { rows, cursor } = toInputRows('你好世界你好世界你好世界', 12, layout);
  expect(rows).toEqual(['> 你好世界你好世界你好', '  世界']);
  expect(cursor).toEqual({ row: 1, column: 6 });
});

test('a long text shows the rows around the cursor', () => {
  const text = Array.from({ length: 5000 }, (_, index) => `line ${String(index)}`).join('\n');
  const { rows, cursor } = toInputRows(text, text.indexOf('line 3000'), layout);
  expect(rows).toHaveLength(4);
  expect(rows[cursor.row]).toContain('line 3000');
});

test('a secret and its length are not shown', () => {
  expect(toInputRows('secret', 6, { ...layout, isHidden: true })).toEqual({
    rows: ['> '],
    cursor: { row: 0, column: 2 },
  });
});
