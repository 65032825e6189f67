import { expect, test } from 'vitest';
import { commandText } from './command-text.ts';

test('words are shown so that a reader can distinguish them', () => {
  expect(commandText(['git', 'commit', '-m', "it's done"])).toBe(String.raw`git commit -m 'it'\''s done'`);
});

test('a line is shown as it is', () => {
  expect(commandText('npm test && ls')).toBe('npm test && ls');
});
