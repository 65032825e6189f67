import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { courses, openStage, succeeded, toolUpdates } from './stage.ts';
import type { Stage } from './stage.ts';

async function openProject(limits = {}): Promise<Stage> {
  const stage = await openStage({ limits });
  await mkdir(join(stage.directory, 'src'));
  // Without a repository git ignores nothing.
  await mkdir(join(stage.directory, '.git'));
  for (const name of ['a.ts', 'src/b.ts', 'src/c.js', 'ignored.ts']) {
    await writeFile(join(stage.directory, name), '');
  }
  await writeFile(join(stage.directory, '.gitignore'), 'ignored.ts\n');
  return stage;
}

test('files are found by name, without a question, with their places', async () => {
  await using stage = await openProject();
  await stage.prompt('call glob {"pattern":"*.ts"}');
  expect(toolUpdates(stage.updates)[0]).toMatchObject({ title: 'Find *.ts', kind: 'search' });
  expect(toolUpdates(stage.updates).at(-1)).toMatchObject({
    status: 'completed',
    content: [{ type: 'content', content: { type: 'text', text: '```\na.ts\nsrc/b.ts\n```' } }],
    rawOutput: { files: 2, hasMore: false },
    locations: [{ path: join(stage.directory, 'a.ts') }, { path: join(stage.directory, 'src/b.ts') }],
  });
  expect(stage.permissions).toEqual([]);
});

test('a pattern may begin with the working directory, a directory may be named, and nothing found is no failure', async () => {
  await using stage = await openProject();
  await stage.prompt(`call glob {"pattern":"${stage.directory}/src/*"}`);
  await stage.prompt('call glob {"pattern":"*.js","path":"src"}');
  await stage.prompt('call glob {"pattern":"*.py"}');
  expect(toolUpdates(stage.updates).flatMap(({ rawOutput }) => rawOutput ?? [])).toEqual([
    { files: 2, hasMore: false },
    { files: 1, hasMore: false },
    { files: 0, hasMore: false },
  ]);
  expect(courses(stage.updates)).toEqual([succeeded, succeeded, succeeded]);
});

test('a list of too many files is cut, and says so', async () => {
  await using stage = await openProject({ globFiles: 1 });
  await stage.prompt('call glob {"pattern":"*.ts"}');
  const done = toolUpdates(stage.updates).at(-1);
  expect(done).toMatchObject({ rawOutput: { files: 1, hasMore: true } });
  expect(JSON.stringify(done)).toContain('More than 1 files');
});

test('nothing outside the directories is found', async () => {
  await using stage = await openProject();
  await symlink(tmpdir(), join(stage.directory, 'out'));
  await stage.prompt('call glob {"pattern":"*","path":"out"}');
  await stage.prompt('call glob {"pattern":"../*"}');
  await stage.prompt('call glob {"pattern":"*","path":".."}');
  const failures = toolUpdates(stage.updates).filter(({ status }) => status === 'failed');
  expect(failures.map(({ rawOutput }) => rawOutput)).toMatchObject([
    { error: { code: 'outside' } },
    { error: { code: 'invalid-pattern' } },
    { error: { code: 'outside' } },
  ]);
});
