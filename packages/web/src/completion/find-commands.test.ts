import { expect, test } from 'vitest';
import { findCommands } from './find-commands.ts';

const commands = [
  { name: 'preview', description: 'Shows the page' },
  { name: 'review', description: 'Looks at the changes', input: { hint: 'what to look at' } },
  { name: 'init', description: 'Writes notes for a review' },
  { name: 'compact', description: 'Makes room' },
];

test('commands that begin with what was typed come first', () => {
  expect(findCommands(commands, 'Re').map(({ value }) => value)).toEqual(['review', 'preview', 'init']);
});

test('without a letter, all commands are listed with their hints', () => {
  const all = findCommands(commands, '');

  expect(all).toHaveLength(4);
  expect(all[1]).toEqual({ value: 'review', description: 'Looks at the changes', hint: 'what to look at' });
});
