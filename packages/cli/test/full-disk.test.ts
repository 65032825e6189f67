import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { filesStore, type LoggedEvent } from '@parley/host';
import { expect, test } from 'vitest';
import {
  cleanEnv,
  commandFile,
  flooding,
  parley,
  scripted,
  startParley,
  temporaryFolder,
  toLines,
} from './command.ts';

const run = promisify(execFile);

/** A folder on a disk of two megabytes; undefined where none can be mounted. */
async function smallDisk(folder: string): Promise<(AsyncDisposable & { readonly path: string }) | undefined> {
  const place = path.join(folder, 'disk');
  await mkdir(place);
  try {
    await run('mount', ['-t', 'tmpfs', '-o', 'size=2m,mode=700', 'tmpfs', place]);
  } catch {
    return undefined;
  }
  return {
    path: place,
    async [Symbol.asyncDispose]() {
      await run('umount', ['-l', place]);
    },
  };
}

/** Takes what is left of a disk. Returns what gives it back. */
async function fill(disk: string): Promise<() => Promise<void>> {
  const file = path.join(disk, 'ballast');
  await writeFile(file, Buffer.alloc(4 * 1024 * 1024)).catch(() => undefined);
  return () => rm(file);
}

async function eventsIn(home: string): Promise<readonly LoggedEvent[]> {
  const store = filesStore(path.join(home, 'sessions'));
  const [head] = await store.list();
  const events: LoggedEvent[] = [];
  await store.read(head?.key ?? '', (event) => void events.push(event));
  return events;
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true });
  const isFile = await Promise.all(names.map(async (name) => (await stat(path.join(folder, name))).isFile()));
  return names.filter((_, index) => isFile[index]);
}

test('a run on a full disk does nothing and says why; with room it works', async (context) => {
  await using folder = await temporaryFolder();
  await using disk = await smallDisk(folder.path);
  if (disk === undefined) return context.skip('no file system can be mounted here');
  const { path: home } = disk;
  const env = { PARLEY_HOME: home };
  const words = ['run', '--format', 'json', '--approve', 'all'];

  const makeRoom = await fill(home);
  for (const agent of [['write a.txt: x'], ['go', '--', ...scripted({ prompt: [{ say: 'hello' }] })]]) {
    const { status, stdout } = await parley([...words, ...agent], { cwd: folder.path, env });
    expect(status).toBe(1);
    const lines = toLines(stdout);
    expect(lines.at(-1)).toMatchObject({
      type: 'stop',
      error: { message: expect.stringContaining('the disk is full') },
    });
    expect(lines.filter(({ type }) => type === 'update')).toEqual([]);
  }
  expect((await readdir(folder.path)).toSorted()).toEqual(['disk']);
  // The watchdog of each command removes the record of its processes a moment later.
  await expect.poll(() => filesBelow(home), { timeout: 60_000 }).toEqual(['ballast']);

  await makeRoom();
  const { status } = await parley([...words, 'write a.txt: x'], { cwd: folder.path, env });
  expect(status).toBe(0);
  expect(await readFile(path.join(folder.path, 'a.txt'), 'utf8')).toContain('x');
  expect((await eventsIn(home)).at(-1)).toMatchObject({ type: 'agent-end' });
});

test('a disk that fills up during a run ends it, and what was printed before is in the event log', async (context) => {
  await using folder = await temporaryFolder();
  await using disk = await smallDisk(folder.path);
  if (disk === undefined) return context.skip('no file system can be mounted here');
  const { path: home } = disk;
  const words = ['run', '--format', 'json', 'go', '--', ...flooding(50_000)];
  const { status, stdout } = await parley(words, { cwd: folder.path, env: { PARLEY_HOME: home } });
  expect(status).toBe(1);
  expect(toLines(stdout).at(-1)).toMatchObject({
    error: { code: 'not-stored', message: expect.stringContaining('the disk is full') },
  });
  const events = await eventsIn(home);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect(events.length).toBeGreaterThan(1000);
});

test('printed output is in the event log, even if the run is killed at any moment', async () => {
  for (const lines of [3, 40, 400, 4000]) {
    await using folder = await temporaryFolder();
    const child = startParley(['run', '--format', 'json', 'go', '--', ...flooding(1_000_000)], {
      cwd: folder.path,
    });
    let printed = '';
    let count = 0;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      count += text.split('\n').length - 1;
      if (count >= lines) child.kill('SIGKILL');
    });
    await once(child, 'close');
    const whole = toLines(printed.slice(0, printed.lastIndexOf('\n') + 1));
    const shown = whole.filter(({ type }) => type === 'update').map(({ update }) => update);
    const stored = await eventsIn(path.join(folder.path, '.home'));
    const updates = stored.flatMap((event) => (event.type === 'update' ? [event.update] : []));
    expect(updates.slice(0, shown.length)).toEqual(shown);
    expect(shown.length).toBeGreaterThan(0);
  }
});

test
  .skipIf(!existsSync('/dev/full'))
  .each([
    [['sessions', 'list', '--json']],
    [['run', '--help']],
    [['run', '--format', 'quiet', 'say: hi']],
    [['run', 'say: hi']],
  ])('%j fails if its output does not fit on the disk, and says so', async (words) => {
  await using folder = await temporaryFolder();
  const full = await open('/dev/full', 'w');
  const child = spawn(process.execPath, [commandFile, ...words], {
    cwd: folder.path,
    env: cleanEnv(path.join(folder.path, '.home')),
    stdio: ['ignore', full.fd, 'pipe'],
  });
  const stderr = textOf(child.stderr ?? Readable.from([]));
  await once(child, 'close');
  await full.close();
  expect(child.exitCode).toBe(1);
  expect(await stderr).toBe('parley: standard output: the disk is full\n');
});
