import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import {
  openRegistry,
  type FixturePackage,
  type FixtureRegistry,
} from '@parley/conformance/package-registry';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findFetchedPackage, installPackage, type InstallOptions } from './install-package.ts';
import { searchPath, type SearchVariables } from './search-path.ts';

const run = promisify(execFile);
const isWindows = process.platform === 'win32';

let folder = '';
let registry: FixtureRegistry;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'parley-install-')));
  registry = await openRegistry([tool, helper]);
  await mkdir(path.join(folder, 'home'));
  // The user's own settings are what counts.
  await writeFile(path.join(folder, 'home', '.npmrc'), `registry=${registry.url}\n`);
});
afterEach(async () => {
  await registry[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const helper: FixturePackage = {
  name: 'helper',
  version: '3.0.0',
  manifest: { main: 'index.js' },
  files: { 'index.js': "module.exports = 'helped';" },
};

const tool: FixturePackage = {
  name: '@scope/tool',
  version: '1.2.3',
  manifest: {
    bin: { tool: 'bin/tool.js' },
    dependencies: { helper: '^3.0.0' },
    scripts: { postinstall: 'echo ran > ran.txt' },
  },
  files: {
    'bin/tool.js':
      "#!/usr/bin/env -S node --no-warnings\nconsole.log(require('helper'), process.execArgv.join(), process.argv[2]);",
  },
};

const specifier = '@scope/tool@1.2.3';

function variables(): SearchVariables {
  const inherited = Object.entries(process.env).filter(([name]) => !/^npm_/iu.test(name));
  const home = path.join(folder, 'home');
  return { ...Object.fromEntries(inherited), HOME: home, USERPROFILE: home };
}

const installed = (
  env: SearchVariables = variables(),
  more: Pick<InstallOptions, 'onInstall' | 'onProgress' | 'signal'> = {},
): ReturnType<typeof installPackage> =>
  installPackage(specifier, { packageFolder: path.join(folder, 'packages'), env, ...more });

const platform = `${process.platform}-${process.arch}`;
const home = (...names: string[]): string =>
  path.join(folder, 'packages', platform, '@scope+tool@1.2.3', ...names);

test('a package is installed once, without its scripts, and started by the absolute path of Node', async () => {
  const installs: string[] = [];
  const fetched: number[] = [];
  const onInstall = (): void => void installs.push('installing');
  const onProgress = (count: number): void => void fetched.push(count);
  expect(await findFetchedPackage(specifier, path.join(folder, 'packages'))).toBeUndefined();
  const command = await installed(variables(), { onInstall, onProgress });
  // Two packages, each with its description and its archive.
  expect(fetched.at(-1)).toBe(4);
  expect(await findFetchedPackage(specifier, path.join(folder, 'packages'))).toEqual(command);
  const program = home('node_modules', '@scope', 'tool', 'bin', 'tool.js');
  expect(command).toEqual({ command: process.execPath, args: ['--no-warnings', program] });
  expect(await readdir(home('node_modules', '@scope', 'tool'))).not.toContain('ran.txt');
  const { stdout } = await run(command.command, [...command.args, 'word']);
  expect(stdout.trim()).toBe('helped --no-warnings word');

  // From here on without network, and without npm.
  await registry[Symbol.asyncDispose]();
  expect(await installed({ PATH: '/nowhere' }, { onInstall })).toEqual(command);
  expect(installs).toEqual(['installing']);
  expect((await readdir(path.join(folder, 'packages', platform))).toSorted()).toEqual(['@scope+tool@1.2.3']);
});

test.skipIf(isWindows)(
  'programs and settings of a project, and of the folders above it, have no part in an installation',
  async () => {
    const project = path.join(folder, 'above', 'project');
    const mark = path.join(folder, 'mark');
    const bins = [
      path.join(project, 'node_modules', '.bin'),
      path.join(folder, 'above', 'node_modules', '.bin'),
    ];
    for (const bin of bins) {
      await mkdir(bin, { recursive: true });
      for (const name of ['node', 'sh', 'npm', 'npx', 'tool']) {
        await writeFile(path.join(bin, name), `#!/bin/sh\necho "${name}" >> '${mark}'\n`, { mode: 0o755 });
      }
    }
    await using other = await openRegistry([]);
    await writeFile(
      path.join(project, '.npmrc'),
      `registry=${other.url}\nscript-shell=${path.join(bins[0] ?? '', 'sh')}\n`,
    );
    await writeFile(path.join(project, 'package.json'), '{}');
    const env = variables();
    const onPath = [...bins, './node_modules/.bin', '', env['PATH'] ?? ''].join(path.delimiter);
    // As npm hands on to what it starts the settings of the project it stands in.
    const fromNpm = {
      ...env,
      PATH: onPath,
      npm_execpath: '/npm/bin/npm-cli.js',
      npm_config_registry: other.url,
      npm_config_local_prefix: project,
      npm_config_script_shell: path.join(bins[0] ?? '', 'sh'),
    };
    const search = await searchPath(fromNpm, [project]);
    expect(search.leftOut).toEqual(expect.arrayContaining([...bins, './node_modules/.bin']));

    const { command, args } = await installed(search.env);
    await run(command, [...args], { cwd: project, env: { ...env, PATH: search.env['PATH'] } });

    expect(other.requests).toEqual([]);
    expect((await readdir(folder)).toSorted()).toEqual(['above', 'home', 'packages']);
  },
);

test('an interrupted or damaged installation is repaired', async () => {
  await mkdir(`${home()}.new/node_modules/half`, { recursive: true });
  await installed();
  await rm(home('node_modules', 'helper'), { recursive: true });
  const { command, args } = await installed();
  expect((await run(command, [...args])).stdout).toContain('helped');
});

test('concurrent installations share one', async () => {
  const [first, second] = await Promise.all([installed(), installed()]);
  expect(second).toEqual(first);
  expect(registry.requests.filter((asked) => asked.endsWith('.tgz')).toSorted()).toEqual([
    '/@scope/tool/-/1.2.3.tgz',
    '/helper/-/3.0.0.tgz',
  ]);
});

test('a failed installation says why, leaves nothing, and is tried again', async () => {
  await writeFile(path.join(folder, 'home', '.npmrc'), `registry=${registry.url}none/\n`);
  await expect(installed()).rejects.toMatchObject({
    code: 'start-failed',
    message: expect.stringMatching(/^install @scope\/tool@1\.2\.3: npm ended with 1:\n.*404/su),
  });
  expect(await readdir(path.join(folder, 'packages', platform))).toEqual([]);
  await writeFile(path.join(folder, 'home', '.npmrc'), `registry=${registry.url}\n`);
  expect(await installed()).toMatchObject({ command: process.execPath });
});

test('without a network, an installation fails within seconds and says what to do', async () => {
  const { url } = registry;
  await registry[Symbol.asyncDispose]();
  await writeFile(path.join(folder, 'home', '.npmrc'), `registry=${url}\n`);
  await expect(installed()).rejects.toMatchObject({
    code: 'start-failed',
    message:
      'install @scope/tool@1.2.3: npm could not reach its registry (ECONNREFUSED). Check the network connection and the proxy settings of npm, then try again',
  });
});

test('an aborted installation ends npm and leaves nothing behind', async () => {
  const ending = new AbortController();
  const onInstall = (): void => {
    ending.abort();
  };
  await expect(installed(variables(), { onInstall, signal: ending.signal })).rejects.toMatchObject({
    code: 'aborted',
  });
  expect(await readdir(path.join(folder, 'packages', platform))).toEqual([]);
});
