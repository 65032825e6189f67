import { expect, test } from 'vitest';
import { restoreLines } from './restore-text.ts';

test('an undo names the turns that it skipped, with their files', () => {
  const result = {
    undone: 1,
    files: [{ path: 'a.txt', action: 'restored' }],
    conflicts: [],
    unreported: [],
    skipped: [{ turn: 2, unreported: ['mine.txt', 'notes.txt'] }],
  };

  expect(restoreLines('undo', result, { isDryRun: false })).toEqual([
    'Undid turn 1: 1 file',
    '  restored  a.txt',
    '  skipped turn 2, as no tool call reported what it changed: mine.txt, notes.txt',
    'Undo this with parley changes redo.',
  ]);
});
