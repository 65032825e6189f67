import { once } from 'node:events';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import type { SandboxEngine } from '@parley/workspace/sandbox';
import { describe, expect, test } from 'vitest';
import { findEngines } from './engines.fixture.ts';
import { runHolder } from './run-holder.fixture.ts';
import { temporaryDirectory } from './temporary-directory.fixture.ts';
import { git, planFor } from './workspace.fixture.ts';

const engines = await findEngines();
const visible = process.env['PARLEY_TEST_VISIBLE'];
/** A repository in /tmp has no folder that a sandbox shows: it hides all of /tmp. */
const isHidden = /^\/(?:var\/)?tmp\//u.test(visible ?? '');
const isRoot = process.geteuid?.() === 0;

describe.each(engines)('with $name', (engine) => {
  test('in a subfolder of a repository, the hooks that its settings name there cannot be written', async () => {
    await using directory = await temporaryDirectory();
    const folder = directory.at('repository', 'web');
    await mkdir(path.join(folder, '.husky', '_'), { recursive: true });
    await mkdir(path.join(folder, 'config'));
    git(directory.at('repository'), 'init', '--quiet');
    git(directory.at('repository'), 'config', 'core.hooksPath', 'web/.husky/_');
    git(directory.at('repository'), 'config', 'include.path', '../web/config/git.inc');
    const line =
      'for file in .husky/pre-commit .husky/_/pre-commit config/git.inc ../.git/hooks/pre-commit; do ' +
      'echo x 2>/dev/null >$file && echo $file; done; mv .husky h 2>/dev/null && echo moved; touch a config/a';
    const commands = [['/bin/sh', '-c', line]];
    const [result] = await runHolder({ plan: planFor(folder), engine, cwd: folder, commands });
    expect(result).toMatchObject({ exitCode: 0, stdout: '' });
    expect(await readdir(folder)).toEqual(['.husky', 'a', 'config']);
    expect(await readdir(path.join(folder, 'config'))).toEqual(['a']);
  });

  test('in a home folder, git works without ~/.gitconfig, and no key can be added', async () => {
    await using directory = await temporaryDirectory();
    const home = directory.at('home');
    await mkdir(home);
    const line =
      'git config --global --list && git init --quiet work; mkdir -p .ssh; echo x >.ssh/authorized_keys; ' +
      'echo x >.gitconfig; ls work/.git/HEAD; ls -A .ssh';
    const commands = [['/bin/sh', '-c', line]];
    const [result] = await runHolder(
      { plan: planFor(home), engine, cwd: home, commands },
      { env: { HOME: home, XDG_CONFIG_HOME: undefined } },
    );
    expect(result?.stdout).toMatch(/^work\/\.git\/HEAD\n(?:\.parley-sandbox-\S+\n)?$/u);
    expect(await readdir(home)).toEqual(['work']);
  });

  test('in other folders that can be written, and in a home folder inside one, the same names cannot be written', async () => {
    await using directory = await temporaryDirectory();
    const home = directory.at('users', 'a');
    await mkdir(home, { recursive: true });
    await mkdir(directory.at('work'));
    git(directory.path, 'init', '--quiet', directory.at('users', 'lib'));
    const line =
      'for file in .vscode/x .git/config lib/.git/config lib/.git/hooks/x lib/.zed/x a/.bashrc a/.gitconfig a/.config/nvim/x a/.ssh/x; do ' +
      'mkdir -p $(dirname $file); echo x 2>/dev/null >$file && echo $file; done; touch a/b lib/c';
    const commands = [['/bin/sh', '-c', line]];
    const plan = planFor(directory.at('work'), { write: [directory.at('users')] });
    const input = { plan, engine, cwd: directory.at('users'), commands };
    const [result] = await runHolder(input, { env: { HOME: home, XDG_CONFIG_HOME: undefined } });
    expect(result).toMatchObject({ stdout: '' });
    expect(await readdir(directory.at('users'))).toEqual(['a', 'lib']);
    expect(await readdir(home)).toEqual(['b']);
    expect(await readdir(directory.at('users', 'lib'))).toEqual(['.git', 'c']);
  });

  test.skipIf(isHidden)(
    'where TMPDIR is in the home folder, the files and sockets of other sandboxes are hidden, also later ones',
    async () => {
      await using directory = await temporaryDirectory(visible);
      const temporary = directory.at('home', 'tmp');
      await mkdir(temporary, { recursive: true });
      await mkdir(directory.at('work'));
      await mkdir(directory.at('home', 'tmp', 'parley-sandbox-other'));
      await writeFile(directory.at('home', 'tmp', 'parley-sandbox-other', 'secret'), 'secret');
      const socket = directory.at('home', 'tmp', 'later');
      const connect = `require('net').connect('${socket}').on('connect', () => process.exit(9)).on('error', (e) => console.log(e.code))`;
      const commands = [
        ['/bin/sh', '-c', `ls -A ${temporary}; cat ${temporary}/*/secret; test -d ${directory.at('home')}`],
        [process.execPath, '-e', connect],
      ];
      const server = createServer((connection) => connection.end());
      const between = ['sh', '-c', `until [ -S '${socket}' ]; do sleep 0.05; done`];
      const input = {
        plan: planFor(directory.at('work')),
        engine,
        cwd: directory.at('work'),
        commands,
        between,
      };
      const running = runHolder(input, { env: { TMPDIR: temporary, HOME: directory.at('home') } });
      await expect
        .poll(() => readdir(temporary))
        .toContainEqual(expect.stringMatching(/^parley-sandbox-\d/u));
      server.listen(socket);
      await once(server, 'listening');
      const [first, second] = await running;
      server.close();
      expect(first).toMatchObject({ exitCode: 0, stdout: '' });
      expect(second).toMatchObject({ exitCode: 0, stdout: 'ENOENT\n' });
    },
  );

  test('a session in the folder for temporary files is refused, with the reason', async () => {
    await using directory = await temporaryDirectory();
    const commands = [['true']];
    const input = { plan: planFor(directory.path), engine, cwd: directory.path, commands };
    const [result] = await runHolder(input, { env: { TMPDIR: directory.path } });
    expect(result?.trouble).toMatch(/also the folder for temporary files.*set TMPDIR/u);
  });

  test.skipIf(!isRoot)(
    'a socket that is mounted, and that listens in another network, is hidden',
    async () => {
      await using directory = await temporaryDirectory(visible);
      for (const name of ['work', 'mounted']) await mkdir(directory.at(name));
      const server = createServer((connection) => connection.end()).listen(directory.at('service'));
      await once(server, 'listening');
      // As in a container that Docker's socket is mounted into.
      const at = directory.at('mounted', 'service');
      const mount = `touch '${at}' && mount --bind '${directory.at('service')}' '${at}' && exec "$@"`;
      const wrapper = ['unshare', '--mount', '--net', 'sh', '-c', mount, 'sh'];
      const connect = `require('net').connect('${at}').on('connect', () => process.exit(9)).on('error', (e) => console.log(e.code))`;
      const commands = [[process.execPath, '-e', connect]];
      const input = { plan: planFor(directory.at('work')), engine, cwd: directory.at('work'), commands };
      const [result] = await runHolder(input, { wrapper });
      server.close();
      expect(result).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^E/u) });
    },
  );

  test.skipIf(!isRoot)('a hidden file stays hidden where its file system is mounted twice', async () => {
    await using directory = await temporaryDirectory(visible);
    for (const name of ['work', 'keys']) await mkdir(directory.at(name));
    await writeFile(directory.at('keys', 'key'), 'secret');
    const plan = planFor(directory.at('work'), { hide: [directory.at('keys')] });
    const commands = [['/bin/sh', '-c', 'cat "/mnt/other mount/keys/key"; ls "/mnt/other mount"']];
    // In a sandbox, `/mnt` can be read wherever the tests are; of `/tmp`, only the session's folder is there.
    const mount =
      "mount -t tmpfs tmpfs /mnt && mkdir '/mnt/other mount' && " +
      `mount --bind '${directory.path}' '/mnt/other mount' && exec "$@"`;
    const wrapper = ['unshare', '--mount', 'sh', '-c', mount, 'sh'];
    const [result] = await runHolder({ plan, engine, cwd: directory.at('work'), commands }, { wrapper });
    expect(result?.trouble).toBeUndefined();
    expect(result?.stdout).toBe('keys\nwork\n');
  });

  test.each([
    ['a folder that can be read inside', true],
    ['a folder that is not there inside', false],
  ])(
    'a folder that becomes a link to %s while the sandbox starts is not mounted, and nothing starts',
    async (_, isInside) => {
      await using directory = await temporaryDirectory();
      const folder = directory.at('work');
      git(directory.path, 'init', '--quiet', folder);
      git(directory.path, 'init', '--quiet', path.join(folder, 'vendor', 'library'));
      // Another session in the same folder does this between two steps of the engine.
      const swap = directory.at('swap');
      await writeFile(
        swap,
        `#!/bin/sh\ncd '${folder}'\n[ -L vendor ] || { cp -a vendor ../outside; mv vendor moved; ln -s ../outside vendor; }\nexec ${engine.program} "$@"\n`,
        { mode: 0o755 },
      );
      const used: SandboxEngine = { ...engine, program: swap };
      const plan = planFor(folder, isInside ? { read: [directory.path] } : {});
      const commands = [['/bin/sh', '-c', 'touch started vendor/started ../outside/started']];
      const [result] = await runHolder({ plan, engine: used, cwd: folder, commands });
      expect(result?.trouble).toMatch(
        /vendor\S* was replaced while the sandbox started\. The agent was not started\. Start it again\.$/u,
      );
      expect(await readdir(folder)).not.toContain('started');
      expect(await readdir(directory.at('outside'))).toEqual(['library']);
    },
  );

  test('a folder that became a link before a command starts is not mounted, and nothing starts', async () => {
    await using directory = await temporaryDirectory();
    for (const name of ['work', 'second', 'outside']) await mkdir(directory.at(name));
    const folder = directory.at('work');
    const second = directory.at('second');
    const commands = [
      ['/bin/sh', '-c', 'touch ../second/ready'],
      ['/bin/sh', '-c', 'touch started ../second/started ../outside/started'],
    ];
    const [first, result] = await runHolder({
      plan: planFor(folder, { read: [directory.path], write: [second] }),
      engine,
      cwd: folder,
      commands,
      between: ['sh', '-c', `rm -r '${second}' && ln -s outside '${second}'`],
    });
    expect(first).toMatchObject({ exitCode: 0 });
    expect(result?.trouble).toMatch(/second was replaced while the sandbox started/u);
    expect(await readdir(folder)).toEqual([]);
    expect(await readdir(directory.at('outside'))).toEqual([]);
  });

  test('a file that a program outside replaced does not keep the next command from starting', async () => {
    await using directory = await temporaryDirectory();
    const folder = directory.at('work');
    git(directory.path, 'init', '--quiet', folder);
    const commands = [
      ['/bin/sh', '-c', 'touch ready'],
      ['/bin/sh', '-c', 'git config --list; echo x >.git/config'],
    ];
    const [first, second] = await runHolder({
      plan: planFor(folder),
      engine,
      cwd: folder,
      commands,
      between: ['git', '-C', folder, 'config', 'a.b', 'c'],
    });
    expect(first).toMatchObject({ exitCode: 0 });
    expect(second?.trouble).toBeUndefined();
    expect(second?.stdout).toContain('a.b=c');
    expect(await readFile(path.join(folder, '.git', 'config'), 'utf8')).toContain('[a]');
  });
});
