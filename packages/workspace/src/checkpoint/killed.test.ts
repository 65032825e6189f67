import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryDirectory, type TemporaryDirectory } from '../temporary-directory.fixture.ts';
import { openCheckpoints } from './checkpoints.ts';
import { many, rewriteIndexLater, writeMany } from './repository-files.fixture.ts';
import { inShort, userGit, writeFiles } from './workspace.fixture.ts';

const isWindows = process.platform === 'win32';
const program = path.join(
  process.env['PARLEY_TEST_PROGRAMS'] ?? '',
  'workspace/src/checkpoint/killed.fixture.js',
);

test.skipIf(isWindows)(
  'a take that is killed at any change of a file leaves a store that the next take goes on with',
  async () => {
    await using directory = await prepare();
    const { stdout } = await take(directory.at('count'), directory, '0');
    const steps = Number(stdout);
    expect(steps).toBeGreaterThan(10);

    await inTurns(steps + 1, async (step) => {
      const state = directory.at(`state-${String(step)}`);
      await cp(directory.at('state'), state, { recursive: true });
      await take(state, directory, String(step + 1));
      await expectWhole(directory, state);
    });
  },
);

test.skipIf(isWindows)(
  'a take that is killed before or behind any git process leaves a usable store',
  async () => {
    await using directory = await prepare();
    const { stdout } = await promisify(execFile)('sh', ['-c', 'command -v git']);
    await cp(directory.at('state'), directory.at('count'), { recursive: true });
    const counting = await killingGit(directory, stdout.trim(), { at: 0 });
    await take(directory.at('count'), directory, '0', counting.variables);
    const calls = (await readFile(counting.calls, 'utf8')).split('\n').length - 1;
    expect(calls).toBeGreaterThan(5);

    await inTurns(calls, async (index) => {
      const state = directory.at(`state-${String(index)}`);
      await cp(directory.at('state'), state, { recursive: true });
      const killing = await killingGit(directory, stdout.trim(), {
        at: 1 + (index >> 1),
        isBehind: index % 2 === 1,
      });
      await take(state, directory, '0', killing.variables);
      await expectWhole(directory, state);
    });
  },
);

test.skipIf(isWindows)(
  'a first take that is killed before any git process leaves a usable store, also where it copies objects of the repository',
  async () => {
    await using directory = await temporaryDirectory();
    const workspace = directory.at('w');
    await writeMany({ at: (name) => path.join(workspace, name) });
    await userGit(workspace, ['init', '-q']);
    await userGit(workspace, ['add', '.']);
    await userGit(workspace, ['commit', '-qm', 'first']);
    await rewriteIndexLater({ at: (name) => path.join(workspace, name) });
    const { stdout } = await promisify(execFile)('sh', ['-c', 'command -v git']);
    const counting = await killingGit(directory, stdout.trim(), { at: 0 });
    await take(directory.at('count'), directory, '0', counting.variables);
    const calls = (await readFile(counting.calls, 'utf8')).split('\n').length - 1;
    expect(calls).toBeGreaterThan(5);
    const ids = new Set<string>();

    await inTurns(calls, async (index) => {
      const stateDir = directory.at(`state-${String(index)}`);
      const killing = await killingGit(directory, stdout.trim(), { at: index + 1 });
      await take(stateDir, directory, '0', killing.variables);
      await using checkpoints = await openCheckpoints({ workspace, stateDir });
      const { id, omitted } = await checkpoints.take();
      expect(omitted).toEqual([]);
      expect(await checkpoints.entries(id)).toHaveLength(many);
      ids.add(id);
    });

    expect(ids.size).toBe(1);
  },
);

/** A folder for the path whose git kills the process that started it, at one of its calls. */
async function killingGit(
  directory: TemporaryDirectory,
  git: string,
  { at, isBehind = false }: { readonly at: number; readonly isBehind?: boolean },
): Promise<{ readonly calls: string; readonly variables: Readonly<Record<string, string>> }> {
  const folder = directory.at(`git-${String(at)}-${String(isBehind)}`);
  const calls = path.join(folder, 'calls');
  const kill = `[ "$call" -eq ${String(at)} ] && kill -9 $PPID`;
  const script = `#!/bin/sh
case "$1" in version|config) exec ${git} "$@";; esac
echo x >> ${calls}
call=$(wc -l < ${calls})
${isBehind ? `${git} "$@"; status=$?; ${kill}; exit $status` : `${kill}; exec ${git} "$@"`}
`;
  await mkdir(folder);
  await writeFile(path.join(folder, 'git'), script, { mode: 0o755 });
  return { calls, variables: { PATH: `${folder}${path.delimiter}${process.env['PATH'] ?? ''}` } };
}

/** A workspace with a checkpoint, and changes since. */
async function prepare(): Promise<TemporaryDirectory> {
  const directory = await temporaryDirectory();
  const ignored = { '.gitignore': 'ignored\n', ignored: 'i' };
  await writeFiles(directory.at('w'), { 'a/b': 'one', gone: 'x', same: 'y', ...ignored });
  await using checkpoints = await openCheckpoints({
    workspace: directory.at('w'),
    stateDir: directory.at('state'),
  });
  await checkpoints.take();
  await writeFiles(directory.at('w'), { 'a/b': 'two', 'c/new': 'z' });
  await rm(directory.at('w/gone'));
  return directory;
}

/** Acts for each number, three at a time. */
async function inTurns(count: number, act: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) await act(index);
  };
  await Promise.all([worker(), worker(), worker()]);
}

async function take(
  stateDir: string,
  directory: TemporaryDirectory,
  killAt: string,
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly stdout: string }> {
  const child = spawn(process.execPath, [program, directory.at('w'), stateDir, killAt], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let stdout = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  await once(child, 'close');
  return { stdout };
}

async function expectWhole(directory: TemporaryDirectory, stateDir: string): Promise<void> {
  await using checkpoints = await openCheckpoints({ workspace: directory.at('w'), stateDir });
  const stored = await storedIds(stateDir);
  const after = await checkpoints.take();
  const [first = ''] = stored;
  expect(inShort(await checkpoints.compare(first, after.id))).toEqual([
    'modified a/b',
    'added c/new',
    'deleted gone',
  ]);
  for (const entry of await checkpoints.entries(after.id)) await checkpoints.read(entry.blob);
  for (const id of stored) await checkpoints.entries(id);
  expect((await checkpoints.take()).id).toBe(after.id);
}

async function storedIds(stateDir: string): Promise<readonly string[]> {
  const stores = await readdir(path.join(stateDir, 'checkpoints'));
  const texts = await Promise.all(
    stores.map((name) =>
      readFile(path.join(stateDir, 'checkpoints', name, 'checkpoints.json'), 'utf8').catch(() => '[]'),
    ),
  );
  return texts.flatMap((text) =>
    (JSON.parse(text) as readonly { readonly id: string }[]).map(({ id }) => id),
  );
}
