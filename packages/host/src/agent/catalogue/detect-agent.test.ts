import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CatalogueEntry } from './catalogue-entry.ts';
import { detectAgent, readAgentVersion } from './detect-agent.ts';
import { parseEntry } from './parse-entry.ts';
import { prepareLaunch } from './prepare-launch.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'parley-detect-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

/** Programs are scripts for the shell here. */
const isWindows = process.platform === 'win32';

async function program(name: string, text: string): Promise<string> {
  const file = path.join(folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return file;
}

function entry(
  parley: object,
  distribution: object = { npx: { package: 'tool', args: ['acp'] } },
): CatalogueEntry {
  const parsed = parseEntry({
    id: 'tool',
    name: 'T',
    version: '1.2.3',
    description: 'D',
    distribution,
    parley,
  });
  if (parsed.kind === 'faulty') throw new Error(parsed.faults.join('; '));
  return parsed.entry;
}

const tool = entry({
  detect: { commands: ['tool', 'old-tool'], versionArgs: ['--version'] },
  start: { args: ['--acp'], env: { QUIET: '1' } },
});

const env = (): { PATH: string } => ({ PATH: ['/nowhere', folder].join(path.delimiter) });
const packages = (): string => path.join(folder, 'packages');
const plan = async (agent: CatalogueEntry): Promise<unknown> =>
  prepareLaunch(agent, await detectAgent(agent, env(), packages()), {
    search: { env: env(), leftOut: [] },
    packageFolder: packages(),
  });

test.skipIf(isWindows)(
  'the first of its programs on PATH is the agent, and is started by its path',
  async () => {
    const old = await program('old-tool', '');
    expect(await detectAgent(tool, env(), packages())).toEqual({ state: 'installed', command: old });
    const command = await program('tool', '');
    expect(await plan(tool)).toMatchObject({
      reach: { by: 'command', command, args: ['--acp'] },
      env: { QUIET: '1' },
      publicEnv: new Set(['QUIET']),
    });
  },
);

test.skipIf(isWindows)(
  'what is not installed is installed by npm in one version, and started by absolute paths',
  async () => {
    await program(
      'npm',
      `PATH=/usr/bin:/bin
while [ "$1" != --prefix ]; do shift; done
cd "$2" && mkdir -p node_modules/tool && cd node_modules
echo "{\\"name\\":\\"tool\\",\\"version\\":\\"\${4#tool@}\\",\\"bin\\":\\"main.js\\"}" > tool/package.json
echo "// $4" > tool/main.js
echo '{"packages":{"node_modules/tool":{}}}' > .package-lock.json`,
    );
    expect(await detectAgent(tool, env(), packages())).toEqual({ state: 'available', runner: 'npx' });
    const main = path.join(
      folder,
      'packages',
      `${process.platform}-${process.arch}`,
      'tool@1.2.3/node_modules/tool/main.js',
    );
    expect(await plan(tool)).toMatchObject({
      reach: { by: 'command', command: process.execPath, args: [main, 'acp'] },
      env: {},
    });
    expect(await readFile(main, 'utf8')).toBe('// tool@1.2.3\n');
  },
);

test.skipIf(isWindows)('known facts about an agent are part of its launch spec', async () => {
  const command = await program('tool', '');
  const signIn = { hint: 'Run it once.', variables: ['KEY'] };
  const known = entry({ detect: { commands: ['tool'] }, signIn, files: 'write' });
  expect(await plan(known)).toMatchObject({
    reach: { by: 'command', command, args: [] },
    signIn,
    serves: { files: 'write' },
  });
});

test.skipIf(isWindows)('a Python package is run by uvx', async () => {
  const command = await program('uvx', '');
  const python = entry({}, { uvx: { package: 'tool@latest', env: { A: 'b' } } });
  expect(await plan(python)).toMatchObject({
    reach: { by: 'command', command, args: ['tool==1.2.3'], fetches: 'tool==1.2.3' },
    env: { A: 'b' },
  });
});

test.skipIf(isWindows)('an adapter requires the program it adapts', async () => {
  await program('npm', '');
  await program('tool', '');
  const adapter = entry({ detect: { commands: ['tool'] }, start: { requires: ['base'] } });
  expect(await detectAgent(adapter, env(), packages())).toEqual({ state: 'absent', missing: ['base'] });
  expect(await plan(adapter)).toBeUndefined();
  await program('base', '');
  expect(await detectAgent(adapter, env(), packages())).toMatchObject({ state: 'installed' });
});

test.skipIf(isWindows)('an agent without a program and a package manager is not available', async () => {
  expect(await detectAgent(tool, env(), packages())).toEqual({ state: 'absent', missing: [] });
});

test.skipIf(isWindows)('a relative folder of PATH is not searched', async () => {
  await program('bin/tool', '');
  const relative = path.relative(process.cwd(), path.join(folder, 'bin'));
  expect(await detectAgent(tool, { PATH: relative }, packages())).toMatchObject({ state: 'absent' });
  expect(await detectAgent(tool, {}, packages())).toMatchObject({ state: 'absent' });
});

test.skipIf(isWindows)('a program is asked for its version with one argument', async () => {
  const command = await program('tool', 'echo "$# $1: Tool v2.10.3-beta.1 (2026.1.1)"');
  expect(await readAgentVersion(tool, command)).toBe('2.10.3-beta.1');
});

test.skipIf(isWindows)('a program that does not print its version has none', async () => {
  const silent = await program('tool', 'exit 1');
  expect(await readAgentVersion(tool, silent)).toBeUndefined();
  const waiting = await program('waiting', 'exec sleep 60');
  expect(await readAgentVersion(tool, waiting, { timeoutMs: 50 })).toBeUndefined();
  expect(await readAgentVersion(tool, path.join(folder, 'gone'))).toBeUndefined();
  const never = entry({ detect: { commands: ['tool'] } });
  expect(await readAgentVersion(never, await program('loud', 'echo 1.2.3'))).toBeUndefined();
});
