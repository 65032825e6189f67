import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { openSandbox } from '@parley/workspace/sandbox';
import { describe, expect, test } from 'vitest';
import { findEngines } from './engines.fixture.ts';
import { programFile } from './run-holder.fixture.ts';
import { temporaryDirectory } from './temporary-directory.fixture.ts';
import { git, planFor } from './workspace.fixture.ts';

const engines = await findEngines();

describe.each(engines)('with $name', (engine) => {
  /** Starts a command in a sandbox of a new repository, and waits until it runs. */
  async function startHolder(directory: { at(name: string): string }, program: string) {
    const folder = directory.at('work');
    await mkdir(folder);
    git(folder, 'init', '--quiet');
    const commands = [['/bin/sh', '-c', 'touch started; exec sleep 1000']];
    const input = { plan: planFor(folder), engine, cwd: folder, commands };
    const child = spawn(process.execPath, [program, JSON.stringify(input)], { stdio: 'ignore' });
    await expect.poll(() => existsSync(path.join(folder, 'started'))).toBe(true);
    return { folder, child, watchdog: await childNamed(child.pid ?? 0, 'parley-watchdog') };
  }

  test('what a command leaves running ends with it, and its sandbox is removed after Parley is killed', async () => {
    await using directory = await temporaryDirectory();
    await using program = await programFile('holder');
    const folder = directory.at('work');
    await mkdir(folder);
    git(directory.path, 'init', '--quiet', folder);
    const word = `parley-${path.basename(directory.path)}`;
    const line = `setsid sleep 1000.${String(process.pid)} ${word} 2>/dev/null & touch started; exec sleep 1000`;
    const input = { plan: planFor(folder), engine, cwd: folder, commands: [['/bin/sh', '-c', line]] };
    const child = spawn(process.execPath, [program.path, JSON.stringify(input)], { stdio: 'ignore' });
    await expect.poll(() => existsSync(path.join(folder, 'started'))).toBe(true);
    expect(await readdir(folder)).toContain('.vscode');
    child.kill('SIGKILL');
    await once(child, 'exit');
    await expect.poll(() => readdir(folder)).toEqual(['.git', 'started']);
    await expect.poll(() => readdir(path.join(folder, '.git'))).not.toContain('commondir');
    await expect.poll(() => sandboxFolders(child.pid ?? 0)).toEqual([]);
  });

  test('the next sandbox, in any folder, removes what is left when Parley and its watchdog are killed', async () => {
    await using directory = await temporaryDirectory();
    await using program = await programFile('holder');
    const { folder, child, watchdog } = await startHolder(directory, program.path);
    await mkdir(directory.at('other'));
    // Stopped, Parley cannot replace its watchdog.
    child.kill('SIGSTOP');
    process.kill(watchdog, 'SIGKILL');
    child.kill('SIGKILL');
    await once(child, 'exit');
    await using other = await openSandbox(planFor(directory.at('other')), engine);
    expect(await readdir(folder)).toEqual(['.git', 'started']);
    expect(await readdir(path.join(folder, '.git'))).not.toContain('commondir');
    expect(await sandboxFolders(child.pid ?? 0)).toEqual([]);
    expect(other.engine).toEqual(engine);
  });

  test.each([{ isWatched: true }, { isWatched: false }])(
    'the files of which a killed process removed only the counters are removed too, with a watchdog: $isWatched',
    async ({ isWatched }) => {
      await using directory = await temporaryDirectory();
      await using program = await programFile('holder');
      const { folder, child, watchdog } = await startHolder(directory, program.path);
      await mkdir(directory.at('other'));
      child.kill('SIGSTOP');
      if (!isWatched) process.kill(watchdog, 'SIGKILL');
      for (const counter of ['.parley-sandbox', path.join('.git', 'parley-sandbox')]) {
        await rm(path.join(folder, counter), { recursive: true });
      }
      child.kill('SIGKILL');
      await once(child, 'exit');
      await using other = isWatched ? undefined : await openSandbox(planFor(directory.at('other')), engine);
      await expect.poll(() => readdir(folder)).toEqual(['.git', 'started']);
      await expect.poll(() => readdir(path.join(folder, '.git'))).not.toContain('commondir');
      expect(other?.engine).toEqual(isWatched ? undefined : engine);
    },
  );

  test('the first of two sandboxes in one folder leaves the protection of the second in place, also if it tries to end it', async () => {
    await using directory = await temporaryDirectory();
    await using program = await programFile('holder');
    const folder = directory.at('work');
    await mkdir(folder);
    git(directory.path, 'init', '--quiet', folder);
    const start = (name: string) => {
      // Whose users are counted in these folders: without those of the other, the end of this one would remove what protects both.
      const counters = '.git/parley-sandbox .parley-sandbox .vscode';
      const line =
        `rmdir $(find ${counters} -mindepth 1); mv .git/parley-sandbox .git/moved; ` +
        `touch ${name}; while [ ! -e end-${name} ]; do sleep 0.05; done; ` +
        `rm -f .git/commondir refs; mkdir .vscode/x || mkdir refs || echo x >.git/commondir || touch held-${name}`;
      const input = { plan: planFor(folder), engine, cwd: folder, commands: [['/bin/sh', '-c', line]] };
      const child = spawn(process.execPath, [program.path, JSON.stringify(input)], { stdio: 'ignore' });
      return { child, ended: once(child, 'exit') };
    };
    const first = start('first');
    await expect.poll(() => existsSync(path.join(folder, 'first'))).toBe(true);
    const second = start('second');
    await expect.poll(() => existsSync(path.join(folder, 'second'))).toBe(true);
    await writeFile(path.join(folder, 'end-first'), '');
    await first.ended;
    expect(await readdir(folder)).toContain('.vscode');
    // Files of the test itself.
    expect(git(folder, 'status', '--porcelain', '--ignored')).toBe(
      '?? end-first\n?? first\n?? held-first\n?? second\n',
    );
    await writeFile(path.join(folder, 'end-second'), '');
    await second.ended;
    const names = ['.git', 'end-first', 'end-second', 'first', 'held-first', 'held-second', 'second'];
    expect(await readdir(folder)).toEqual(names);
    expect(await readdir(path.join(folder, '.git'))).not.toContain('commondir');
  });

  test('a folder that has objects and refs is reported once it is a repository', async () => {
    await using directory = await temporaryDirectory();
    for (const name of ['objects', 'refs']) await mkdir(directory.at('work', name), { recursive: true });
    await using sandbox = await openSandbox(planFor(directory.at('work')), engine);
    expect(sandbox.takeConverted()).toEqual([]);
    await writeFile(directory.at('work', 'HEAD'), 'ref: refs/heads/main');
    expect(sandbox.takeConverted()).toEqual([directory.at('work')]);
    expect(sandbox.takeConverted()).toEqual([]);
  });

  test('two sandboxes hold the same folder that is no repository', async () => {
    await using directory = await temporaryDirectory();
    const folder = directory.at('work');
    await mkdir(folder);
    const first = await openSandbox(planFor(folder), engine);
    const second = await openSandbox(planFor(folder), engine);
    await first.close();
    expect(await readdir(path.join(folder, '.git'))).toHaveLength(1);
    await second.close();
    expect(await readdir(folder)).toEqual([]);
  });

  test('sandboxes that are opened at the same moment hold the same folder', async () => {
    await using directory = await temporaryDirectory();
    const folder = directory.at('work');
    await mkdir(folder);
    const opened = await Promise.all([1, 2, 3].map(() => openSandbox(planFor(folder), engine)));
    for (const sandbox of opened) {
      expect(await readdir(folder)).toContain('.vscode');
      await sandbox.close();
    }
    expect(await readdir(folder)).toEqual([]);
  });

  test('several sandboxes of several processes, killed at any moment, leave nothing', async () => {
    await using directory = await temporaryDirectory();
    await using program = await programFile('holder');
    const folder = directory.at('work');
    await mkdir(folder);
    git(directory.path, 'init', '--quiet', folder);
    git(folder, 'config', 'core.hooksPath', 'hooks/own');
    const commands = [['/bin/sh', '-c', 'exec sleep 1000']];
    const input = JSON.stringify({ plan: planFor(folder), engine, cwd: folder, commands, isTwice: true });
    const holders = [0, 1, 2, 3].map(() => {
      const child = spawn(process.execPath, [program.path, input], { stdio: 'ignore' });
      return { child, exited: once(child, 'exit') };
    });
    // The first is killed while it creates its sandboxes, the others while further ones open theirs.
    await expect.poll(() => readdir(folder)).toContain('.bashrc');
    for (const { child, exited } of holders) {
      child.kill('SIGKILL');
      await exited;
    }
    await expect.poll(() => readdir(folder)).toEqual(['.git']);
    await expect.poll(() => readdir(path.join(folder, '.git'))).not.toContain('parley-sandbox');
    for (const { child } of holders) await expect.poll(() => sandboxFolders(child.pid ?? 0)).toEqual([]);
  });
});

/** The process that another one started with a name in its command line. */
async function childNamed(parent: number, name: string): Promise<number> {
  const children = await readFile(`/proc/${String(parent)}/task/${String(parent)}/children`, 'utf8');
  for (const id of children.trim().split(' ')) {
    if ((await readFile(`/proc/${id}/cmdline`, 'utf8')).split('\0').includes(name)) return Number(id);
  }
  throw new Error(`no ${name}`);
}

async function sandboxFolders(pid: number): Promise<readonly string[]> {
  const names = await readdir(os.tmpdir());
  return names.filter((name) => name.startsWith(`parley-sandbox-${String(pid)}-`));
}
