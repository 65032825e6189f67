import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { courses, openStage, refused, succeeded, toolUpdates } from './stage.ts';
import type { Stage } from './stage.ts';

const text = 'one\ntwo\nthree\nfour\nfive\n';
const change = '--- a/a.txt\n+++ b/a.txt\n@@ -2,3 +2,3 @@\n two\n-three\n+3\n four\n';
const creation = '--- /dev/null\n+++ b/new/b.txt\n@@ -0,0 +1,1 @@\n+made\n';

function apply(stage: Stage, patch: string): Promise<unknown> {
  return stage.prompt(`call patch ${JSON.stringify({ patch })}`);
}

test('a patch changes and makes files, after one question with all its diffs', async () => {
  await using stage = await openStage();
  const path = join(stage.directory, 'a.txt');
  await writeFile(path, text);
  await apply(stage, change + creation);
  expect(courses(stage.updates)).toEqual([succeeded]);
  expect(stage.permissions).toHaveLength(1);
  expect(stage.permissions[0]?.toolCall.content).toHaveLength(2);
  expect(await readFile(path, 'utf8')).toBe('one\ntwo\n3\nfour\nfive\n');
  expect(await readFile(join(stage.directory, 'new', 'b.txt'), 'utf8')).toBe('made\n');
  expect(toolUpdates(stage.updates).at(-1)).toMatchObject({
    locations: [{ path }, { path: join(stage.directory, 'new', 'b.txt') }],
  });
});

test('it fits a file whose lines have moved, and whose context is a little other', async () => {
  await using stage = await openStage();
  const path = join(stage.directory, 'a.txt');
  await writeFile(path, `zero\nzero\n${text.replace('one', 'ONE')}`);
  await apply(stage, change.replace('-2,3 +2,3 @@\n', '-1,4 +1,4 @@\n one\n'));
  expect(await readFile(path, 'utf8')).toBe('zero\nzero\nONE\ntwo\n3\nfour\nfive\n');
});

test.each([
  ['does not fit', 'other\n', change, 'no-match'],
  ['makes a file that is there', text, creation.replace('new/b.txt', 'a.txt'), 'no-match'],
  ['changes a file that is not there', text, change.replaceAll('a.txt', 'c.txt'), 'no-match'],
  ['removes a file', text, change.replace('+++ b/a.txt', '+++ /dev/null'), 'invalid-input'],
  ['moves a file', text, change.replace('+++ b/a.txt', '+++ b/c.txt'), 'invalid-input'],
  ['has a file twice', text, change + change, 'invalid-input'],
  ['is none', text, 'please', 'invalid-input'],
  ['has a wrong count of lines', text, change.replace('-2,3 +2,3', '-2,9 +2,9'), 'invalid-input'],
])(
  'a patch that %s is refused before the user is asked, and nothing is written',
  async (_what, old, patch, code) => {
    await using stage = await openStage();
    const path = join(stage.directory, 'a.txt');
    await writeFile(path, old);
    await apply(
      stage,
      `${creation.replace('new/b.txt', 'first.txt')}${patch}`.replace(/^[\s\S]*(?=please)/u, ''),
    );
    expect(courses(stage.updates)).toEqual([refused]);
    expect(stage.permissions).toEqual([]);
    expect(toolUpdates(stage.updates).at(-1)).toMatchObject({ rawOutput: { error: { code } } });
    expect(await readFile(path, 'utf8')).toBe(old);
    await expect(readFile(join(stage.directory, 'first.txt'))).rejects.toMatchObject({ code: 'ENOENT' });
  },
);

test('a patch reaches nothing outside the directories', async () => {
  await using stage = await openStage();
  await apply(stage, creation.replace('b/new/b.txt', '../outside.txt'));
  expect(courses(stage.updates)).toEqual([refused]);
  expect(stage.permissions).toEqual([]);
});
