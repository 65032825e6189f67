import { execFileSync, spawn } from 'node:child_process';
import { openSync, closeSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import { protectedAttempts, readAttempts, writeAttempts } from './attempts-on-files.ts';
import { networkAttempts, systemAttempts } from './attempts-on-the-system.ts';
import { findEngines } from './engines.fixture.ts';
import { createEscapeScene } from './escape-scene.fixture.ts';
import type { EscapeResult } from './escape-target.ts';
import { programFile, runHolder } from './run-holder.fixture.ts';

const engines = await findEngines();
const names = [readAttempts, networkAttempts, systemAttempts, writeAttempts, protectedAttempts].flatMap(
  (each) => Object.keys(each),
);
const isRoot = process.geteuid?.() === 0;
/** Outside of `/tmp`, which a sandbox hides as a whole. */
const base = process.env['PARLEY_TEST_VISIBLE'] ?? '';

describe.skipIf(process.platform !== 'linux')('without a sandbox', () => {
  let results: ReadonlyMap<string, EscapeResult>;

  beforeAll(async () => {
    await using program = await programFile('escape');
    await using scene = await createEscapeScene(base, program.folder);
    const secretFile = openSync(path.join(scene.target.outside, 'secret.txt'), 'r');
    const child = spawn(process.execPath, [program.path, JSON.stringify(scene.target)], {
      cwd: scene.target.workspace,
      env: { ...process.env, ...scene.env },
      stdio: ['ignore', 'pipe', 'inherit', secretFile],
    });
    closeSync(secretFile);
    results = byName(child.stdout === null ? '' : await text(child.stdout));
  });

  test.each(names.filter((name) => canBeShown(name)))('%s', (name) => {
    expect(results.get(name)).toEqual({ name, escaped: true });
  });
});

describe.each(engines)('with $name', (engine) => {
  let results: ReadonlyMap<string, EscapeResult>;
  let left: string;

  beforeAll(async () => {
    await using program = await programFile('escape');
    await using scene = await createEscapeScene(base, program.folder);
    const { target, plan, env } = scene;
    const secretFile = openSync(path.join(target.outside, 'secret.txt'), 'r');
    const commands = [[process.execPath, program.path, JSON.stringify(target)]];
    const [result] = await runHolder(
      { plan, engine, cwd: target.workspace, commands },
      { env, inherited: secretFile },
    );
    closeSync(secretFile);
    if (result?.trouble !== undefined) throw new Error(result.trouble);
    results = byName(result?.stdout ?? '');
    left = execFileSync('git', ['-C', target.workspace, 'status', '--porcelain', '--ignored'], {
      encoding: 'utf8',
    });
  });

  test.each(names)('refused: %s', (name) => {
    expect(results.get(name)).toMatchObject({ name, escaped: false });
  });

  test('nothing of the sandbox is left in the workspace', () => {
    expect(left).not.toMatch(/parley-sandbox|\.vscode|\.bashrc/u);
  });
});

function byName(output: string): ReadonlyMap<string, EscapeResult> {
  const results: readonly EscapeResult[] = JSON.parse(output);
  return new Map(results.map((result) => [result.name, result]));
}

/** Ways that are open only in a sandbox, or not on every machine. */
const neverShown: ReadonlySet<string> = new Set([
  'a file outside is written through /proc/1/root',
  'the trigger of SysRq is opened for writing',
  'a hidden folder is uncovered',
  'the root is changed with pivot_root',
  'keys are pushed into a terminal',
  'io_uring is set up',
  'another interface than the loopback is there',
  'a user namespace is created with unshare',
  'a user namespace is created with clone',
  'a user namespace is created by the command unshare',
  'a socket for virtual machines is opened',
  'a file of /sys is opened for writing',
  'the log of the kernel is opened',
  'a BPF program is loaded',
  'a disk is opened',
  'a process outside is traced',
  'memory of a process outside is opened',
]);

/** Ways that only root has, in any case. */
const needRoot: ReadonlySet<string> = new Set([
  'a file system is mounted',
  'a folder is mounted at another path',
  'the root is made writable',
  'the root is changed with chroot',
  'a mount is made with the newer calls',
  'a mount namespace is created',
  'a namespace of another process is entered',
  'a device is created',
  'a raw socket is opened',
  'a capability is held',
  'a setting of the kernel is written',
]);

function canBeShown(name: string): boolean {
  return !neverShown.has(name) && (isRoot || !needRoot.has(name));
}
