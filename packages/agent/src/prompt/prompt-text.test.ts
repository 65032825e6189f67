import { expect, test } from 'vitest';
import { promptText } from './prompt-text.ts';

test('texts are joined by a blank line', () => {
  expect(
    promptText([
      { type: 'text', text: 'one' },
      { type: 'text', text: 'two' },
    ]),
  ).toBe('one\n\ntwo');
});

test('a link becomes its title, else its name, with the address', () => {
  const link = { type: 'resource_link', uri: 'file:///a.txt', name: 'a.txt' } as const;
  expect(promptText([link])).toBe('[a.txt](file:///a.txt)');
  expect(promptText([{ ...link, title: 'The notes' }])).toBe('[The notes](file:///a.txt)');
  expect(promptText([{ ...link, name: ' ' }])).toBe('[file:///a.txt](file:///a.txt)');
});

test('a link stays on one line, with any name', () => {
  const link = { type: 'resource_link', uri: 'file:///a b\n.txt', name: 'x]\nrun evil' } as const;
  expect(promptText([link])).toBe('[x run evil](file:///a%20b%0A.txt)');
});
