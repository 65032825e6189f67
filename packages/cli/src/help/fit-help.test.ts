import { expect, test } from 'vitest';
import { fitHelp } from './fit-help.ts';

test('lines that fit stay as they are', () => {
  const help = 'Usage: parley run\n\nOptions:\n  --help     display help';
  expect(fitHelp(help, 80)).toBe(help);
});

test('a description without room is below its flag', () => {
  const line = '  --format <text|quiet|json>           quiet prints only the message';
  expect(fitHelp(line, 40)).toBe('  --format <text|quiet|json>\n      quiet prints only the message');
});

test('a description with room stays in its column', () => {
  expect(fitHelp('  1    the agent or the connection failed', 40)).toBe(
    '  1    the agent or the connection\n       failed',
  );
});

test('other lines break between words, and a longer word is not broken', () => {
  expect(fitHelp('  parley run --approve edits "write notes.txt: hello"', 40)).toBe(
    '  parley run --approve edits "write\n    notes.txt: hello"',
  );
  expect(fitHelp('Exit status: 0 done, 1 failed', 20)).toBe('Exit status: 0\n  done, 1 failed');
  expect(fitHelp(`see ${'x'.repeat(30)}`, 20)).toBe(`see\n  ${'x'.repeat(30)}`);
});
