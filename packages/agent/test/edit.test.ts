import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { courses, openStage, refused, succeeded, toolUpdates } from './stage.ts';

const call = (path: string, edits: unknown): string => `call edit ${JSON.stringify({ path, edits })}`;

test('several edits are one call with one permission request and one diff', async () => {
  await using stage = await openStage();
  const path = join(stage.directory, 'a.txt');
  await writeFile(path, 'one\ntwo\nthree\n');
  await stage.prompt(
    call('a.txt', [
      { oldText: 'one', newText: '1' },
      { oldText: 'three', newText: '3\n4' },
    ]),
  );
  expect(courses(stage.updates)).toEqual([succeeded]);
  expect(stage.permissions).toHaveLength(1);
  expect(await readFile(path, 'utf8')).toBe('1\ntwo\n3\n4\n');
  const diff = { type: 'diff', path, oldText: 'one\ntwo\nthree\n', newText: '1\ntwo\n3\n4\n' };
  expect(stage.permissions[0]?.toolCall).toMatchObject({ kind: 'edit', content: [diff] });
  expect(toolUpdates(stage.updates).at(-1)).toMatchObject({
    content: [diff],
    locations: [
      { path, line: 1 },
      { path, line: 3 },
    ],
  });
});

test('one edit that does not match rejects all of them before the user is asked', async () => {
  await using stage = await openStage();
  const path = join(stage.directory, 'a.txt');
  await writeFile(path, 'one\ntwo\ntwo\n');
  await stage.prompt(
    call('a.txt', [
      { oldText: 'one', newText: '1' },
      { oldText: 'two', newText: '2' },
    ]),
  );
  expect(courses(stage.updates)).toEqual([refused]);
  expect(stage.permissions).toEqual([]);
  expect(await readFile(path, 'utf8')).toBe('one\ntwo\ntwo\n');
  expect(toolUpdates(stage.updates).at(-1)).toMatchObject({
    rawOutput: {
      error: { code: 'ambiguous-match', message: expect.stringMatching(/^edits\[1\]: .*lines 2, 3/u) },
    },
  });
});

test.each([
  ['edits', 'x'],
  ['edits', []],
  ['edits[0]', [1]],
  ['newText', [{ oldText: 'a' }]],
  ['oldText', [{ oldText: '', newText: 'a' }]],
])('a mistake in the arguments is reported by name: %s', async (name, edits) => {
  await using stage = await openStage();
  await stage.prompt(call('a.txt', edits));
  expect(courses(stage.updates)).toEqual([refused]);
  expect(JSON.stringify(toolUpdates(stage.updates).at(-1))).toContain(name);
});
