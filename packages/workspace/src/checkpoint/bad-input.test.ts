import { execFile } from 'node:child_process';
import {
  chmod,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, test, vi } from 'vitest';
import { ownedByUnprivileged, unprivileged } from '../files/unprivileged.fixture.ts';
import { oldGitOnPath } from '../git/old-git.fixture.ts';
import {
  createPlaceholders,
  findMissing,
  placeholderToken,
  removePlaceholders,
} from '../sandbox/placeholders.ts';
import { temporaryDirectory } from '../temporary-directory.fixture.ts';
import { openCheckpoints } from './checkpoints.ts';
import { inShort, testWorkspace } from './workspace.fixture.ts';

const isLinux = process.platform === 'linux';

afterEach(() => {
  vi.unstubAllEnvs();
});

test('a file over the limit is omitted at once, and is neither deleted nor safe to delete when it crosses the limit', async () => {
  await using workspace = await testWorkspace();
  const { checkpoints, at } = workspace;
  await workspace.write({ grows: 'small', shrinks: '', other: 'x' });
  await truncate(at('shrinks'), 5 * 1024 ** 3);
  const before = await checkpoints.take();
  expect(before.omitted).toEqual([{ path: 'shrinks', why: 'too-large' }]);

  await truncate(at('grows'), 5 * 1024 ** 3);
  await truncate(at('shrinks'), 3);
  const after = await checkpoints.take();

  expect(after.omitted).toEqual([{ path: 'grows', why: 'too-large' }]);
  expect(await checkpoints.compare(before.id, after.id)).toMatchObject([
    { path: 'grows', status: 'modified', isTooLarge: true },
    { path: 'shrinks', status: 'added', wasUncovered: true },
  ]);
});

test('the limit for one file is an option', async () => {
  await using workspace = await testWorkspace({ limits: { maxFileBytes: 3 } });
  await workspace.write({ at: '123', over: '1234' });

  expect(await workspace.checkpoints.take()).toMatchObject({ omitted: [{ path: 'over', why: 'too-large' }] });
});

test.skipIf(process.platform === 'win32')(
  'FIFOs and sockets are omitted, also where a file was',
  async () => {
    await using workspace = await testWorkspace();
    const { checkpoints, at } = workspace;
    await workspace.write({ 'a/file': 'x', 'b/was': 'y' });
    const before = await checkpoints.take();
    await promisify(execFile)('mkfifo', [at('a/fifo')]);
    await rm(at('b/was'));
    await promisify(execFile)('mkfifo', [at('b/was')]);
    const server = createServer().listen(at('a/socket'));
    await new Promise((resolve) => {
      server.once('listening', resolve);
    });

    const after = await checkpoints.take();
    server.close();

    expect(after.omitted).toEqual([
      { path: 'a/fifo', why: 'special' },
      { path: 'a/socket', why: 'special' },
      { path: 'b/was', why: 'special' },
    ]);
    expect(await checkpoints.compare(before.id, after.id)).toEqual([]);
  },
);

test.skipIf(!isLinux)('what a sandbox creates in a folder while it is open is in no checkpoint', async () => {
  await using workspace = await testWorkspace();
  const { checkpoints, at } = workspace;
  await workspace.write({ 'a/file': 'x', 'own/refs/file': 'y' });
  const before = await checkpoints.take();
  const token = await placeholderToken();
  const missing = findMissing(
    [
      { kind: 'folder', path: at('.vscode') },
      { kind: 'folder', path: at('a/.config') },
      { kind: 'socket', path: at('refs') },
      { kind: 'socket', path: at('a/objects') },
    ],
    token,
  );
  await createPlaceholders(missing, token);
  const server = createServer().listen(at('own/refs/socket'));
  await new Promise((resolve) => {
    server.once('listening', resolve);
  });

  const after = await checkpoints.take();
  const during = await checkpoints.folders(after.id);
  server.close();
  await removePlaceholders(missing.placeholders);

  expect(after.omitted).toEqual([{ path: 'own/refs/socket', why: 'special' }]);
  expect(during).toEqual(await checkpoints.folders(before.id));
  expect(await checkpoints.compare(before.id, after.id)).toEqual([]);
  expect(await readdir(at('a'))).toEqual(['file']);
});

test.skipIf(!isLinux)(
  'names that are not UTF-8, hold newlines, or look like options and patterns',
  async () => {
    await using workspace = await testWorkspace();
    const { checkpoints, folder } = workspace;
    const strange = Buffer.from([0x62, 0xff, 0xfe]);
    const bytes = (...names: readonly Buffer[]): Buffer =>
      Buffer.concat([Buffer.from(folder), ...names.flatMap((name) => [Buffer.from('/'), name])]);
    await mkdir(bytes(strange));
    await writeFile(bytes(strange, Buffer.from([0xe9])), 'one');
    const names = [
      'a\nb',
      ' ',
      '"q"',
      '*',
      '-n',
      ':(top)x',
      'back\\slash',
      'git~1',
      'tab\tname',
      'ünï',
      '🙂',
    ];
    for (const name of names) await writeFile(path.join(folder, name), name);
    const before = await checkpoints.take();
    await writeFile(bytes(strange, Buffer.from([0xe9])), 'two');
    const after = await checkpoints.take();

    const encoded = { base64: Buffer.from([0x62, 0xff, 0xfe, 0x2f, 0xe9]).toString('base64') };
    expect(before.omitted).toEqual([]);
    expect(await checkpoints.compare(before.id, after.id)).toMatchObject([
      { path: encoded, status: 'modified' },
    ]);
    expect(await checkpoints.entries(after.id, [encoded, ':(top)x', '*'])).toHaveLength(3);
    expect((await checkpoints.entries(after.id)).map((entry) => entry.path)).toEqual(
      expect.arrayContaining([...names, encoded]),
    );
  },
);

test('names that git reserves are omitted', async () => {
  await using workspace = await testWorkspace();
  await workspace.write({ 'sub/.GIT/file': 'x', ok: 'y' });

  const { id, omitted } = await workspace.checkpoints.take();

  expect((await workspace.checkpoints.entries(id)).map((entry) => entry.path)).toEqual(['ok']);
  expect(omitted).toEqual([{ path: 'sub/.GIT/file', why: 'repository' }]);
});

test('a change of the same size in the same instant, with the old time stamp put back, is found', async () => {
  await using workspace = await testWorkspace();
  const { checkpoints, at } = workspace;
  const stamp = new Date(1_000_000_000_000);
  for (let round = 0; round < 5; round++) {
    await writeFile(at('file'), `${String(round)}a`);
    await utimes(at('file'), stamp, stamp);
    const before = await checkpoints.take();
    await writeFile(at('file'), `${String(round)}b`);
    await utimes(at('file'), stamp, stamp);
    const middle = await checkpoints.take();
    await chmod(at('file'), round % 2 === 0 ? 0o600 : 0o644);
    const after = await checkpoints.take();

    expect(inShort(await checkpoints.compare(before.id, middle.id))).toEqual(['modified file']);
    expect(inShort(await checkpoints.compare(middle.id, after.id))).toEqual(['mode file']);
  }
});

test('files of the future, as after the clock was set back, are followed', async () => {
  await using workspace = await testWorkspace();
  const { checkpoints, at } = workspace;
  const future = new Date('2100-01-01');
  await workspace.write({ file: 'one', other: 'x' });
  await utimes(at('file'), future, future);
  const before = await checkpoints.take();
  await writeFile(at('file'), 'two');
  await utimes(at('file'), future, future);
  const after = await checkpoints.take();

  expect(inShort(await checkpoints.compare(before.id, after.id))).toEqual(['modified file']);
  expect((await checkpoints.take()).id).toBe(after.id);
});

test('after the clock was set back, changes are found, and no checkpoint is lost', async () => {
  let now = Date.now() + 3_600_000;
  await using workspace = await testWorkspace({ now: () => now });
  const { checkpoints, folder, stateDir } = workspace;
  await workspace.write({ file: 'one', other: 'x' });
  const before = await checkpoints.take();
  now -= 100 * 24 * 3_600_000;
  await workspace.write({ file: 'two' });
  const after = await checkpoints.take();
  await checkpoints[Symbol.asyncDispose]();

  await using later = await openCheckpoints({ workspace: folder, stateDir, now: () => now - 3_600_000 });
  expect((await later.take()).id).toBe(after.id);
  expect(inShort(await later.compare(before.id, after.id))).toEqual(['modified file']);
});

test('a workspace that became a link elsewhere is refused, and its target is not read', async () => {
  await using workspace = await testWorkspace();
  const { checkpoints, folder, at } = workspace;
  await workspace.write({ file: 'one' });
  const before = await checkpoints.take();
  await rename(folder, at('../moved'));
  await mkdir(at('../elsewhere'));
  await symlink(at('../elsewhere'), folder);

  await expect(checkpoints.take()).rejects.toMatchObject({ code: 'changed' });

  await rm(folder);
  await expect(checkpoints.take()).rejects.toMatchObject({ code: 'not-found' });
  await rename(at('../moved'), folder);
  expect((await checkpoints.take()).id).toBe(before.id);
});

test('checkpoints of a removed workspace are compared and read; a folder that never had any is refused', async () => {
  await using workspace = await testWorkspace();
  const { checkpoints, folder, stateDir } = workspace;
  await workspace.write({ file: 'one' });
  const before = await checkpoints.take();
  await workspace.write({ file: 'two' });
  const after = await checkpoints.take();
  await rm(folder, { recursive: true });

  await using reopened = await openCheckpoints({ workspace: folder, stateDir });
  const [change] = await reopened.compare(before.id, after.id);
  expect((await reopened.read(change?.before?.blob ?? '')).toString()).toBe('one');
  await expect(reopened.take()).rejects.toMatchObject({ code: 'not-found' });
  await expect(openCheckpoints({ workspace: `${folder}-other`, stateDir })).rejects.toMatchObject({
    code: 'not-found',
  });
});

test.skipIf(!isLinux)('what cannot be read is omitted, and what was stored of it is not lost', async () => {
  await using workspace = await testWorkspace();
  const { checkpoints, at } = workspace;
  await workspace.write({ 'locked/file': 'x', secret: 's', ok: 'y' });
  const names = await readdir(at('..'), { recursive: true });
  await ownedByUnprivileged([at('..'), ...names.map((name) => at(`../${name}`))]);
  const before = await unprivileged(() => checkpoints.take());
  await chmod(at('secret'), 0o000);
  await chmod(at('locked'), 0o000);

  const after = await unprivileged(() => checkpoints.take());
  // Without administrator rights it could not be removed either.
  await chmod(at('locked'), 0o755);

  expect(after.omitted).toEqual(
    expect.arrayContaining([
      { path: 'locked', why: 'unreadable' },
      { path: 'secret', why: 'unreadable' },
    ]),
  );
  expect(await checkpoints.compare(before.id, after.id)).toEqual([]);
  expect(await checkpoints.entries(after.id, ['locked'])).toHaveLength(1);
});

test('files that other processes write all the time do not hold up a take', async () => {
  await using workspace = await testWorkspace();
  const { checkpoints, at } = workspace;
  await workspace.write({ log: 'line\n', vanishing: 'x', stable: 'y' });
  const writer = new AbortController();
  const writing = (async () => {
    const handle = await open(at('log'), 'a');
    while (!writer.signal.aborted) {
      await handle.write('another line\n');
      await rm(at('vanishing'), { force: true });
      await writeFile(at('vanishing'), 'x');
    }
    await handle.close();
  })();

  const taken = await checkpoints.take();
  writer.abort();
  await writing;

  expect((await checkpoints.entries(taken.id)).map((entry) => entry.path)).toEqual(
    expect.arrayContaining(['log', 'stable']),
  );
});

test('without git on the path nothing opens, and the error says what is off', async () => {
  await using directory = await temporaryDirectory();
  vi.stubEnv('PATH', directory.path);
  await mkdir(directory.at('w'));

  await expect(
    openCheckpoints({ workspace: directory.at('w'), stateDir: directory.at('s') }),
  ).rejects.toMatchObject({
    code: 'no-git',
    message: expect.stringMatching(/git.*checkpoints.*off.*Install git/su) as string,
  });
});

test.skipIf(process.platform === 'win32')('a git in the workspace is never run', async () => {
  await using directory = await temporaryDirectory();
  await mkdir(directory.at('w/bin'), { recursive: true });
  await writeFile(directory.at('w/bin/git'), `#!/bin/sh\ntouch ${directory.at('ran')}\n`, { mode: 0o755 });
  vi.stubEnv('PATH', `${directory.at('w/bin')}${path.delimiter}${process.env['PATH'] ?? ''}`);
  await using checkpoints = await openCheckpoints({
    workspace: directory.at('w'),
    stateDir: directory.at('s'),
  });

  await checkpoints.take();

  await expect(open(directory.at('ran'))).rejects.toMatchObject({ code: 'ENOENT' });
});

test.skipIf(process.platform === 'win32')('git 2.25 does: no newer option or variable is used', async () => {
  await using directory = await temporaryDirectory();
  vi.stubEnv('PATH', await oldGitOnPath(directory.at('bin')));
  await using workspace = await testWorkspace();
  const files = Array.from({ length: 300 }, (_, index) => [`folder/${String(index)}`, String(index)]);
  await workspace.write(Object.fromEntries(files) as Record<string, string>);
  const before = await workspace.checkpoints.take();
  await workspace.write({ 'folder/7': 'changed' });
  const after = await workspace.checkpoints.take();

  expect(inShort(await workspace.checkpoints.compare(before.id, after.id))).toEqual(['modified folder/7']);
  expect(await workspace.checkpoints.entries(after.id)).toHaveLength(300);
});

test('a git older than 2.25 is refused', async () => {
  await using directory = await temporaryDirectory();
  await mkdir(directory.at('bin'));
  await mkdir(directory.at('w'));
  await writeFile(directory.at('bin/git'), '#!/bin/sh\necho git version 2.17.1\n', { mode: 0o755 });
  vi.stubEnv('PATH', `${directory.at('bin')}${path.delimiter}${process.env['PATH'] ?? ''}`);

  await expect(
    openCheckpoints({ workspace: directory.at('w'), stateDir: directory.at('s') }),
  ).rejects.toMatchObject({
    code: 'no-git',
    message: expect.stringContaining('2.17') as string,
  });
});

test('an aborted take leaves no checkpoint, and the next one is whole', async () => {
  await using workspace = await testWorkspace();
  const { checkpoints } = workspace;
  await workspace.write(
    Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`f/${String(index)}`, String(index)])),
  );
  const controller = new AbortController();
  const taking = checkpoints.take({ signal: controller.signal });
  controller.abort();

  await expect(taking).rejects.toMatchObject({ code: 'aborted' });

  expect(await checkpoints.entries((await checkpoints.take()).id)).toHaveLength(2000);
});

test('on a full disk the take is refused with the reason, earlier checkpoints are as they were, and the next one is whole', async (context) => {
  await using directory = await temporaryDirectory();
  await mkdir(directory.at('disk'));
  try {
    await promisify(execFile)('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', directory.at('disk')]);
  } catch {
    return context.skip('no file system can be mounted here');
  }
  try {
    await using workspace = await testWorkspace({ stateDir: directory.at('disk/state') });
    const { checkpoints } = workspace;
    await workspace.write({ a: 'one' });
    const before = await checkpoints.take();
    await workspace.write({
      a: 'two',
      big: Buffer.from(crypto.getRandomValues(new Uint8Array(65_536)).toString().repeat(8)),
    });
    const ballast = directory.at('disk/ballast');
    await writeFile(ballast, Buffer.alloc(2 * 1024 * 1024)).catch(() => undefined);

    await expect(checkpoints.take()).rejects.toMatchObject({ code: 'no-space' });

    expect(await checkpoints.entries(before.id)).toHaveLength(1);
    await rm(ballast);
    await workspace.write({ big: 'small' });
    expect(inShort(await checkpoints.compare(before.id, (await checkpoints.take()).id))).toEqual([
      'modified a',
      'added big',
    ]);
  } finally {
    await promisify(execFile)('umount', ['-l', directory.at('disk')]);
  }
});
