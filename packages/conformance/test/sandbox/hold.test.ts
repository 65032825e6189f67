import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SandboxEngine, SandboxPlan } from '@parley/workspace/sandbox';
import { beforeAll, afterAll, describe, expect, test } from 'vitest';
import { findEngines } from './engines.fixture.ts';
import { runHolder } from './run-holder.fixture.ts';
import { type TemporaryDirectory, temporaryDirectory } from './temporary-directory.fixture.ts';
import { git, planFor } from './workspace.fixture.ts';

const engines = await findEngines();
const isRoot = process.geteuid?.() === 0;
const root = fileURLToPath(new URL('../../../../', import.meta.url));
/** A user without rights, for tests that run as root. */
const ordinaryUser = 65_534;

/** Runs one shell line in a sandbox. */
async function shell(engine: SandboxEngine, plan: SandboxPlan, line: string, cwd = plan.folders[0] ?? '/') {
  const [result] = await runHolder({ plan, engine, cwd, commands: [['/bin/sh', '-c', line]] });
  if (result === undefined) throw new Error('no result');
  return result;
}

/** A project with a dependency, and the cache of npm with it. */
let template: TemporaryDirectory;

beforeAll(async () => {
  template = await temporaryDirectory();
  await mkdir(template.at('project'));
  if (engines.length > 0) {
    await writeProject(template.at('project'), template.at('dependency'), template.at('cache'));
  }
});

afterAll(() => template[Symbol.asyncDispose]());

describe.each(engines)('with $name', (engine) => {
  test('commands of every day work', async () => {
    await using directory = await temporaryDirectory();
    const folder = directory.at('project');
    await mkdir(folder);
    git(directory.path, 'init', '--quiet', folder);
    git(folder, 'commit', '--quiet', '--allow-empty', '-m', 'first');
    await cp(template.at('project'), folder, { recursive: true });
    const cache = directory.at('cache');
    await cp(template.at('cache'), cache, { recursive: true });
    const tsc = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const identity = '-c user.name=A -c user.email=a@example.com';
    const lines = [
      `npm ci --offline --cache ${cache} --no-audit --no-fund && node -e 'require("dependency")'`,
      `git add . && git ${identity} commit --quiet -m second && git log --oneline | wc -l`,
      'git init --quiet sub && cd sub && git status',
      'git checkout --quiet -b other && git add -A && git diff --exit-code HEAD && git worktree add --quiet tree -b third && git stash list && git log --oneline refs/heads/other',
      'node --test',
      `${process.execPath} ${tsc} --noEmit --types "" a.ts`,
      `node -e 'const w = require("fs").watch(".", () => { w.close(); }); setTimeout(() => require("fs").writeFileSync("seen", ""), 50)'`,
      'ps -e | grep -q ps',
      'script -qec "test -t 0 && echo terminal" /dev/null',
      'git commit --dry-run; echo $TMPDIR && touch $TMPDIR/x /tmp/y /dev/shm/z',
      `node -e 'const s = require("http").createServer((_, r) => r.end("x")).listen(0, "127.0.0.1", async () => { await fetch("http://127.0.0.1:" + s.address().port); s.close(); })'`,
      `node -e 'require("dns").lookup("example.com", (error) => process.exit(error ? 0 : 1))'`,
    ];
    const plan = planFor(folder, { stateDirs: [cache], program: [root] });
    const commands = lines.map((line) => ['/bin/sh', '-c', line]);
    const results = await runHolder({ plan, engine, cwd: folder, commands });
    expect(
      results.map(({ exitCode, stderr, trouble }, index) => ({
        line: lines[index],
        exitCode,
        trouble,
        ...(exitCode !== 0 && { stderr }),
      })),
    ).toEqual(lines.map((line) => ({ line, exitCode: 0, trouble: undefined })));
    expect(await readdir(folder)).not.toContain('.vscode');
  });

  test('a linked worktree commits, and cannot change its repository', async () => {
    await using directory = await temporaryDirectory();
    const repository = directory.at('repository');
    git(directory.path, 'init', '--quiet', repository);
    git(repository, 'commit', '--quiet', '--allow-empty', '-m', 'first');
    git(repository, 'worktree', 'add', '--quiet', directory.at('linked'));
    const common = path.join(repository, '.git');
    const result = await shell(
      engine,
      planFor(directory.at('linked')),
      `git -c user.name=A -c user.email=a@example.com commit --quiet --allow-empty -m second; ` +
        `for file in config hooks/x commondir worktrees/linked/commondir worktrees/linked/config.worktree HEAD; do ` +
        `echo x 2>/dev/null >${common}/$file && echo wrote $file; done; mv .git g && echo moved`,
    );
    expect(result).toMatchObject({ stdout: '' });
    expect(git(directory.at('linked'), 'log', '--oneline').trim().split('\n')).toHaveLength(2);
    expect(await readdir(path.join(common, 'worktrees', 'linked'))).not.toContain('config.worktree');
  });

  test('mode read-only writes only to state and temporary folders', async () => {
    await using directory = await temporaryDirectory();
    for (const name of ['work', 'extra']) await mkdir(directory.at(name));
    const plan = planFor(directory.at('work'), {
      mode: 'read-only',
      stateDirs: [directory.at('state')],
      write: [directory.at('extra')],
    });
    const result = await shell(
      engine,
      plan,
      `for folder in . ../extra ../state /tmp; do touch $folder/file 2>/dev/null && echo $folder; done`,
    );
    expect(result).toMatchObject({ stdout: '../state\n/tmp\n' });
    expect(await readdir(directory.at('work'))).toEqual([]);
  });

  test('with a list of readable folders, others are missing', async () => {
    await using directory = await temporaryDirectory();
    for (const name of ['work', 'shown', 'other']) await mkdir(directory.at(name));
    for (const name of ['shown', 'other']) await writeFile(directory.at(name, 'file'), name);
    const plan = planFor(directory.at('work'), { read: [directory.at('shown')] });
    const result = await shell(
      engine,
      plan,
      'cat ../shown/file; ls .. ; test -e ../other || echo missing; ls -d ~; node -e 0',
    );
    expect(result.stdout).toContain('shown');
    expect(result.stdout).toContain('missing');
    expect(result).toMatchObject({ exitCode: 0 });
  });

  test('network on has the network of the machine', async () => {
    await using directory = await temporaryDirectory();
    const result = await shell(
      engine,
      planFor(directory.path, { network: 'on' }),
      'readlink /proc/self/ns/net',
    );
    expect(result.stdout.trim()).toBe(
      execFileSync('readlink', ['/proc/self/ns/net'], { encoding: 'utf8' }).trim(),
    );
  });

  test.each(['off', 'on'] as const)('the socket for tools is reached with network %s', async (network) => {
    await using directory = await temporaryDirectory();
    await mkdir(directory.at('work'));
    const toolSocket = directory.at('socket');
    const server = createServer((socket) => socket.end('tools')).listen(toolSocket);
    await once(server, 'listening');
    await chmod(toolSocket, 0o600);
    const connect = `node -e 'require("net").connect("/run/parley/tools.sock").pipe(process.stdout)'`;
    const plan = planFor(directory.at('work'), { network, toolSocket });
    const result = await shell(
      engine,
      plan,
      `${connect} && rm -f /run/parley/tools.sock 2>/dev/null; ls /run/parley`,
    );
    server.close();
    expect(result).toMatchObject({ stdout: 'toolsstage\ntools.sock\n' });
  });

  test('folders inside hidden ones stay visible, and a hidden folder inside is hidden', async () => {
    await using directory = await temporaryDirectory();
    for (const name of ['state/worktree/private', 'state/packages', 'home']) {
      await mkdir(directory.at(name), { recursive: true });
    }
    for (const name of ['state/token', 'state/worktree/a', 'state/worktree/private/b', 'state/packages/c']) {
      await writeFile(directory.at(name), 'x');
    }
    const plan = planFor(directory.at('state/worktree'), {
      ownState: [directory.at('state')],
      program: [directory.at('state/packages')],
      hide: [directory.at('state/worktree/private')],
    });
    const result = await shell(
      engine,
      plan,
      'ls -A ..; cat a; ls private; cat ../packages/c; touch ../packages/d ../new',
    );
    expect(result.stdout).toBe('packages\nworktree\nxx');
  });

  test('names with quotes, spaces and line breaks are held', async () => {
    await using directory = await temporaryDirectory();
    const folder = directory.at(`it's "a" $(folder)\nwith\ttabs`);
    await mkdir(path.join(folder, '.vscode'), { recursive: true });
    const result = await shell(engine, planFor(folder), 'touch a .vscode/b; ls -A | grep -c .');
    expect(result.trouble).toBeUndefined();
    expect(await readdir(folder)).toEqual(['.vscode', 'a']);
    expect(await readdir(path.join(folder, '.vscode'))).toEqual([]);
  });

  test('a protected name that is a symbolic link is refused, with the reason', async () => {
    await using directory = await temporaryDirectory();
    await mkdir(directory.at('work'));
    await symlink('/tmp', directory.at('work', '.vscode'));
    const result = await shell(engine, planFor(directory.at('work')), 'true');
    expect(result).toMatchObject({ exitCode: null });
    expect(result.trouble).toMatch(/\.vscode.*symbolic link.*read-only/su);
    expect(await readdir(directory.at('work'))).toEqual(['.vscode']);
  });

  test.skipIf(!isRoot)('an ordinary user is held, and stays that user', async () => {
    await using directory = await temporaryDirectory();
    const folder = directory.at('work');
    await mkdir(folder);
    await chmod(directory.path, 0o755);
    for (const each of [folder, directory.path]) await chown(each, ordinaryUser, ordinaryUser);
    const wrapper = [
      'setpriv',
      `--reuid=${String(ordinaryUser)}`,
      `--regid=${String(ordinaryUser)}`,
      '--clear-groups',
    ];
    const line =
      'id -u; touch a && echo wrote; touch ../b 2>/dev/null || echo held; git init -q c && echo repository';
    const commands = [['/bin/sh', '-c', line]];
    const [result] = await runHolder(
      { plan: planFor(folder), engine, cwd: folder, commands },
      { wrapper, env: { HOME: directory.path } },
    );
    expect(result).toMatchObject({ exitCode: 0, stdout: '65534\nwrote\nheld\nrepository\n' });
  });

  test.skipIf(!isRoot)('where namespaces are forbidden, the command is not started', async () => {
    await using directory = await temporaryDirectory();
    const folder = directory.at('work');
    await mkdir(folder);
    // Root without capabilities in a user namespace of its own, which may create no further ones, as in a container.
    const forbid =
      'echo 0 >/proc/sys/user/max_user_namespaces && exec setpriv --bounding-set=-all --inh-caps=-all "$@"';
    const wrapper = ['unshare', '--user', '--map-root-user', 'sh', '-c', forbid, 'sh'];
    const [result] = await runHolder(
      { plan: planFor(folder), engine, cwd: folder, commands: [['touch', 'started']] },
      { wrapper },
    );
    expect(result?.trouble).toMatch(/Could not start the sandbox.*(?:max_user_namespaces = 0|Docker)/su);
    expect(await readdir(folder)).toEqual([]);
  });
});

test.skipIf(process.platform !== 'linux')(
  'a bubblewrap that does not hold is noticed before the command starts',
  async () => {
    await using directory = await temporaryDirectory();
    const folder = directory.at('work');
    await mkdir(folder);
    const broken = directory.at('bwrap');
    await writeFile(broken, '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done\nshift\nexec "$@"\n', {
      mode: 0o755,
    });
    const silent = directory.at('silent');
    await writeFile(silent, '#!/bin/sh\necho "bwrap: broken" >&2\nexit 1\n', { mode: 0o755 });
    for (const program of [broken, silent]) {
      const engine: SandboxEngine = { name: 'bubblewrap', program };
      const result = await shell(engine, planFor(folder), 'touch started');
      expect(result.trouble).toMatch(/sandbox/u);
      expect(result.exitCode).not.toBe(0);
      expect(await readdir(folder)).toEqual([]);
    }
  },
);

test.skipIf(process.platform !== 'linux')(
  'without a folder for temporary files, nothing starts',
  async () => {
    await using directory = await temporaryDirectory();
    const engine: SandboxEngine = { name: 'bubblewrap', program: '/usr/bin/bwrap' };
    const input = {
      plan: planFor(directory.path),
      engine,
      cwd: directory.path,
      commands: [['touch', 'started']],
    };
    const [result] = await runHolder(input, { env: { TMPDIR: '/proc' } });
    expect(result?.trouble).toMatch(/temporary folder of the sandbox in "\/proc".*set TMPDIR/su);
    expect(existsSync(directory.at('started'))).toBe(false);
  },
);

/** A project with a dependency that npm finds in its cache, a test and a TypeScript file. */
async function writeProject(folder: string, dependency: string, cache: string): Promise<void> {
  await mkdir(dependency);
  await writeFile(
    path.join(dependency, 'package.json'),
    JSON.stringify({ name: 'dependency', version: '1.0.0', main: 'index.js' }),
  );
  await writeFile(path.join(dependency, 'index.js'), '');
  const npm = (cwd: string, ...args: readonly string[]): string =>
    execFileSync('npm', [...args, '--cache', cache, '--no-audit', '--no-fund', '--offline'], {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  const tarball = npm(dependency, 'pack', '--silent').trim();
  await cp(path.join(dependency, tarball), path.join(folder, tarball));
  await writeFile(
    path.join(folder, 'package.json'),
    JSON.stringify({ name: 'project', version: '1.0.0', dependencies: { dependency: `file:${tarball}` } }),
  );
  npm(folder, 'install', '--package-lock-only');
  await writeFile(path.join(folder, 'a.ts'), 'export const a: number = 1;\n');
  await writeFile(path.join(folder, 'a.test.js'), "require('node:test').test('works', () => {});\n");
  await writeFile(path.join(folder, '.gitignore'), 'node_modules\nsub\ntree\n');
}
