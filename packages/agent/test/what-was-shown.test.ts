import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isPosix } from './posix.ts';
import { openStage, toolUpdates, type Stage } from './stage.ts';

const allowed = { outcome: 'selected', optionId: 'allow_once' } as const;
const rejected = { outcome: 'selected', optionId: 'reject_once' } as const;

/** A stage whose user takes that long to answer that something else happens in between. */
async function openSlowStage(meanwhile: (directory: string) => Promise<void>): Promise<Stage> {
  const stage: Stage = await openStage({
    onPermission: async () => {
      await meanwhile(stage.directory);
      return allowed;
    },
  });
  return stage;
}

async function setMode(stage: Stage, modeId: string): Promise<void> {
  await stage.agent.request('session/set_mode', { sessionId: stage.sessionId, modeId });
}

const changed = { status: 'failed', rawOutput: { error: { code: 'changed' } } };

test.each([
  ['write', 'write a.txt: new'],
  ['replace', 'call replace {"path":"a.txt","oldText":"old","newText":"new"}'],
  ['edit', 'call edit {"path":"a.txt","edits":[{"oldText":"old","newText":"new"}]}'],
  ['delete', 'call delete {"path":"a.txt"}'],
  ['move', 'call move {"from":"a.txt","to":"b.txt"}'],
])('%s leaves a file alone that was changed while the user decided', async (_tool, prompt) => {
  await using stage = await openSlowStage((directory) => writeFile(join(directory, 'a.txt'), 'old and more'));
  await writeFile(join(stage.directory, 'a.txt'), 'old');

  await stage.prompt(prompt);

  expect(toolUpdates(stage.updates).at(-1)).toMatchObject(changed);
  expect(await readFile(join(stage.directory, 'a.txt'), 'utf8')).toBe('old and more');
});

test('a patch of several files writes none when one was changed while the user decided', async () => {
  await using stage = await openSlowStage((directory) => writeFile(join(directory, 'b.txt'), 'b\nmore\n'));
  await writeFile(join(stage.directory, 'a.txt'), 'a\n');
  await writeFile(join(stage.directory, 'b.txt'), 'b\n');
  const part = (name: string): string =>
    `--- a/${name}.txt\n+++ b/${name}.txt\n@@ -1 +1 @@\n-${name}\n+new\n`;

  await stage.prompt(`call patch ${JSON.stringify({ patch: part('a') + part('b') })}`);

  expect(toolUpdates(stage.updates).at(-1)).toMatchObject(changed);
  expect(await readFile(join(stage.directory, 'a.txt'), 'utf8')).toBe('a\n');
});

test.runIf(isPosix)('a folder that becomes a link while the user decides takes no write', async () => {
  await using stage = await openSlowStage(async (directory) => {
    await rename(join(directory, 'src'), join(directory, 'moved'));
    await symlink('.git', join(directory, 'src'));
  });
  await mkdir(join(stage.directory, '.git'));
  await mkdir(join(stage.directory, 'src'));

  await stage.prompt('write src/config: evil');

  expect(toolUpdates(stage.updates).at(-1)).toMatchObject(changed);
  await expect(readFile(join(stage.directory, '.git', 'config'))).rejects.toThrow('ENOENT');
});

test.runIf(isPosix)(
  'a command does not start in a folder that was put in the place of the one shown',
  async () => {
    await using stage = await openSlowStage(async (directory) => {
      await rename(directory, `${directory}-moved`);
      await mkdir(directory);
    });

    await stage.prompt('run touch here');

    expect(toolUpdates(stage.updates).at(-1)).toMatchObject(changed);
    await expect(readFile(join(stage.directory, 'here'))).rejects.toThrow('ENOENT');
    await rm(`${stage.directory}-moved`, { recursive: true });
  },
);

test.each([
  'write .git/hooks/pre-commit: x',
  'write .env: x',
  'write .vscode/tasks.json: x',
  'write .parley/settings.json: x',
  'call move {"from":"a.txt","to":".husky/pre-commit"}',
])('the mode "workspace-write" asks about %j, and says what it is', async (prompt) => {
  await using stage = await openStage({ onPermission: () => rejected });
  await writeFile(join(stage.directory, 'a.txt'), 'a');
  await setMode(stage, 'workspace-write');

  await stage.prompt(`write b.txt: x\n${prompt}`);

  expect(stage.permissions).toHaveLength(1);
  expect(JSON.stringify(stage.permissions[0]?.toolCall.content)).toContain('is protected');
});

test('a protected file is asked about each time, and no answer is remembered for it', async () => {
  const always = { outcome: 'selected', optionId: 'allow_always' } as const;
  await using stage = await openStage({ onPermission: () => always });

  await stage.prompt('write .vscode/tasks.json: x\nwrite .env: x\nwrite .env: y\nwrite a.txt: x');

  expect(stage.permissions.map(({ options }) => options.map(({ kind }) => kind))).toEqual([
    ['allow_once', 'reject_once'],
    ['allow_once', 'reject_once'],
    ['allow_once', 'reject_once'],
    ['allow_once', 'allow_always', 'reject_once', 'reject_always'],
  ]);
  expect(await readdir(stage.directory)).toEqual(['a.txt']);
});

test('the mode "full-access" asks about no protected file', async () => {
  await using stage = await openStage();
  await setMode(stage, 'full-access');

  await stage.prompt('write .env: x');

  expect(stage.permissions).toEqual([]);
  expect(await readFile(join(stage.directory, '.env'), 'utf8')).toBe('x');
});

test('a file with keys in it is asked about before it is read', async () => {
  await using stage = await openStage({ onPermission: () => rejected });
  await writeFile(join(stage.directory, '.env'), 'KEY=1');
  await writeFile(join(stage.directory, 'a.txt'), 'KEY of a');

  await stage.prompt('read a.txt\nread .env');

  expect(stage.permissions.map(({ toolCall }) => toolCall.locations)).toMatchObject([
    [{ path: join(stage.directory, '.env') }],
  ]);
});

test('a rule about a program does not let it write into a protected file', async () => {
  await using stage = await openStage({
    rules: () => Promise.resolve([{ tool: 'execute', commandPrefix: 'echo', decision: 'allow' }]),
    onPermission: () => rejected,
  });

  await stage.prompt('run echo x\nrun echo x > .env\nrun cp a .git/config');

  expect(stage.permissions).toHaveLength(2);
});

test('a search of a folder omits matches in files with keys', async () => {
  await using stage = await openStage();
  await writeFile(join(stage.directory, '.npmrc'), 'TOKEN=1');
  await writeFile(join(stage.directory, 'a.txt'), 'TOKEN of a');

  await stage.prompt('search TOKEN');

  const output = JSON.stringify(toolUpdates(stage.updates).at(-1));
  expect(output).toContain('TOKEN of a');
  expect(output).not.toContain('TOKEN=1');
});
