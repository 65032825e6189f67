import { execFileSync, spawn } from 'node:child_process';
import { openSync, closeSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { SandboxPlan } from '@parley/workspace/sandbox';
import { beforeAll, describe, expect, test } from 'vitest';
import { readOnlyAttempts } from './attempts-in-read-only.ts';
import { protectedAttempts, readAttempts, writeAttempts } from './attempts-on-files.ts';
import { networkAttempts, systemAttempts } from './attempts-on-the-system.ts';
import { listedAttempts, otherWays, proxyAttempts } from './attempts-through-the-proxy.ts';
import { findEngines } from './engines.fixture.ts';
import { createEscapeScene } from './escape-scene.fixture.ts';
import type { EscapeResult } from './escape-target.ts';
import { programFile, runHolder } from './run-holder.fixture.ts';

const engines = await findEngines();
const names = [
  readAttempts,
  networkAttempts,
  otherWays,
  systemAttempts,
  writeAttempts,
  protectedAttempts,
].flatMap((each) => Object.keys(each));
const allowed = Object.keys(listedAttempts);
const throughProxy = Object.keys(proxyAttempts);
const inReadOnly = Object.keys(readOnlyAttempts);
const isRoot = process.geteuid?.() === 0;
/** Outside of `/tmp`, which a sandbox hides as a whole. */
const base = process.env['PARLEY_TEST_VISIBLE'] ?? '';

describe.skipIf(process.platform !== 'linux')('without a sandbox', () => {
  let results: ReadonlyMap<string, EscapeResult>;

  beforeAll(async () => {
    await using program = await programFile('escape');
    await using scene = await createEscapeScene(base, program.folder);
    const secretFile = openSync(path.join(scene.target.outside, 'secret.txt'), 'r');
    const all = new Map<string, EscapeResult>();
    for (const mode of ['read-only', 'workspace']) {
      const child = spawn(process.execPath, [program.path, JSON.stringify(scene.target), mode], {
        cwd: scene.target.workspace,
        env: { ...process.env, ...scene.env, HTTP_PROXY: '' },
        stdio: ['ignore', 'pipe', 'inherit', secretFile],
      });
      const said = child.stdout === null ? '' : await text(child.stdout);
      for (const [name, result] of byName(said)) all.set(name, result);
    }
    closeSync(secretFile);
    results = all;
  });

  const shown = [...names, ...allowed, ...throughProxy, ...inReadOnly];

  test.each(shown.filter((name) => canBeShown(name)))('%s', (name) => {
    expect(results.get(name)).toEqual({ name, escaped: true });
  });
});

describe.each(engines)('with $name', (engine) => {
  let results: ReadonlyMap<string, EscapeResult>;
  let inReadOnlyMode: ReadonlyMap<string, EscapeResult>;
  let lookedUp: ReadonlySet<string>;
  let left: string;

  beforeAll(async () => {
    await using program = await programFile('escape');
    await using scene = await createEscapeScene(base, program.folder);
    const { target, plan, env } = scene;
    const secretFile = openSync(path.join(target.outside, 'secret.txt'), 'r');
    const run = async (mode: SandboxPlan['mode']): Promise<ReadonlyMap<string, EscapeResult>> => {
      const commands = [[process.execPath, program.path, JSON.stringify(target), mode]];
      const [result] = await runHolder(
        { plan: { ...plan, mode }, engine, cwd: target.workspace, commands },
        { env, inherited: secretFile },
      );
      if (result?.trouble !== undefined) throw new Error(result.trouble);
      return byName(result?.stdout ?? '');
    };
    inReadOnlyMode = await run('read-only');
    results = await run('workspace');
    closeSync(secretFile);
    ({ lookedUp } = scene);
    left = execFileSync('git', ['-C', target.workspace, 'status', '--porcelain', '--ignored'], {
      encoding: 'utf8',
    });
  });

  test.each(names)('refused: %s', (name) => {
    expect(results.get(name)).toMatchObject({ name, escaped: false });
  });

  test.each(allowed)('allowed: %s', (name) => {
    expect(results.get(name)).toEqual({ name, escaped: true });
  });

  // Each is answered by the proxy: an attempt that fails in another way has a reason.
  test.each(throughProxy)('refused by the proxy: %s', (name) => {
    expect(results.get(name)).toEqual({ name, escaped: false });
  });

  test('the proxy looks up the names that are listed, and no others', () => {
    expect([...lookedUp].toSorted()).toEqual(['mapped.example', 'metadata.example', 'private.example']);
  });

  test.each(inReadOnly)('refused in the mode read-only: %s', (name) => {
    expect(inReadOnlyMode.get(name)).toMatchObject({ name, escaped: false });
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
  'the system bus of D-Bus is reached',
  'the second request on a connection reaches another server',
  'the metadata service of a cloud is reached by its address',
  'the metadata service of a cloud is reached by a listed name',
  'a private address is reached by a listed name',
  'a name that is not listed is looked up',
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
