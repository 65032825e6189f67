import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, test, vi } from 'vitest';
import { temporaryDirectory } from '../temporary-directory.fixture.ts';
import { openCheckpoints } from './checkpoints.ts';
import { shareCheckpoints } from './share-checkpoints.ts';
import { inShort, testWorkspace, userGit } from './workspace.fixture.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

/** The git on the path notes from now on what it runs; returns what was noted since the last call. */
async function countGit(folder: string): Promise<() => Promise<readonly string[]>> {
  const { stdout } = await promisify(execFile)('sh', ['-c', 'command -v git']);
  const calls = path.join(folder, 'calls');
  await mkdir(path.join(folder, 'bin'), { recursive: true });
  const git = path.join(folder, 'bin', 'git');
  await writeFile(git, `#!/bin/sh\necho "$*" >> ${calls}\nexec ${stdout.trim()} "$@"\n`);
  await chmod(git, 0o755);
  vi.stubEnv('PATH', `${path.dirname(git)}${path.delimiter}${process.env['PATH'] ?? ''}`);
  return async () => {
    const text = await readFile(calls, 'utf8').catch(() => '');
    await writeFile(calls, '');
    return text.split('\n').filter((line) => line !== '');
  };
}

test.skipIf(process.platform === 'win32').each([
  ['a plain folder', false],
  ['a folder in a repository', true],
])(
  'an unchanged take starts no git process, in this process and in the next one, in %s',
  async (_name, isRepository) => {
    await using directory = await temporaryDirectory();
    const calls = await countGit(directory.at(''));
    const [workspace, stateDir] = [directory.at('w/folder'), directory.at('state')];
    await mkdir(path.join(workspace, 'build', 'nested'), { recursive: true });
    if (isRepository) await userGit(directory.at('w'), ['init', '-q']);
    await userGit(path.join(workspace, 'build', 'nested'), ['init', '-q']);
    await writeFile(path.join(workspace, 'build', 'nested', 'file'), 'n');
    await writeFile(path.join(workspace, '.gitignore'), '*.log\n');
    await writeFile(path.join(workspace, 'a.log'), 'ignored');
    await writeFile(path.join(workspace, 'large'), 'large'.repeat(10));
    const options = { workspace, stateDir, limits: { maxFileBytes: 40 } };
    await using checkpoints = await openCheckpoints(options);
    const first = await checkpoints.take();
    // The user's settings were too young to be remembered when git was asked for them.
    await (await openCheckpoints(options))[Symbol.asyncDispose]();
    await calls();

    const same = await checkpoints.take();

    expect(await calls()).toEqual([]);
    expect(same).toMatchObject({ id: first.id, omitted: [{ path: 'large', why: 'too-large' }] });
    await checkpoints[Symbol.asyncDispose]();
    await using later = await openCheckpoints(options);
    expect(await later.take()).toMatchObject({ id: first.id, omitted: first.omitted });
    expect(await calls()).toEqual([]);
  },
);

test.skipIf(process.platform === 'win32')(
  'a changed file takes two git processes, a new one four',
  async () => {
    await using workspace = await testWorkspace();
    await workspace.write({ 'folder/file': '1', other: '1' });
    const calls = await countGit(workspace.at('..'));
    await using checkpoints = await openCheckpoints({
      workspace: workspace.folder,
      stateDir: workspace.stateDir,
    });
    const before = await checkpoints.take();
    await calls();

    await workspace.write({ 'folder/file': 'changed' });
    const after = await checkpoints.take();

    expect((await calls()).filter((call) => !call.startsWith('update-index -z --force-remove'))).toHaveLength(
      2,
    );
    await workspace.write({ 'folder/new': 'new' });
    const last = await checkpoints.take();
    expect(await calls()).toHaveLength(4);
    expect(inShort(await checkpoints.compare(before.id, after.id))).toEqual(['modified folder/file']);
    expect(inShort(await checkpoints.compare(after.id, last.id))).toEqual(['added folder/new']);
  },
);

test('requests that come while a take runs share the next one, and see what was written before them', async () => {
  await using workspace = await testWorkspace();
  const { folder, stateDir } = workspace;
  await workspace.write({ a: '1' });
  const open = shareCheckpoints();
  await using one = await open({ workspace: folder, stateDir });
  await using two = await open({ workspace: folder, stateDir });
  const [first] = await Promise.all([one.take(), two.take()]);
  const controller = new AbortController();

  const running = one.take();
  await workspace.write({ a: 'changed' });
  const aborted = one.take({ signal: controller.signal });
  const shared = [one.take(), two.take()];
  controller.abort();

  await expect(aborted).rejects.toMatchObject({ code: 'aborted' });
  await running;
  const [left, right] = await Promise.all(shared);
  expect(left).toBe(right);
  expect(inShort(await two.compare(first.id, left?.id ?? ''))).toEqual(['modified a']);
  await one[Symbol.asyncDispose]();
  await two.take();
});
