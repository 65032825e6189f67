import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readlink, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { AapSessionStore } from '@parley/aap/server';
import { aapStoreContract } from '@parley/conformance';
import { expect, onTestFinished, test } from 'vitest';
import { openAapStore } from '../src/index.ts';
import { mostStaleLines, openHeadIndex } from '../src/store/head-index.ts';

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'parley-store-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function recordsOf(store: AapSessionStore, sessionId: string): Promise<readonly unknown[] | undefined> {
  const records: unknown[] = [];
  return (await store.read(sessionId, (record) => void records.push(record))) ? records : undefined;
}

async function headsOf(store: AapSessionStore): Promise<Readonly<Record<string, unknown>>> {
  const heads: [string, unknown][] = [];
  for await (const { sessionId, head } of store.list()) heads.push([sessionId, head]);
  return Object.fromEntries(heads);
}

function fileOf(folder: string, sessionId: string): string {
  return path.join(folder, 'sessions', sessionId, 'journal.jsonl');
}

/** What of a folder this process has open. */
async function openFilesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir('/proc/self/fd');
  const files = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')));
  return files.filter((file) => file.startsWith(folder));
}

/** A process that uses a store, of which it says in lines what it does. */
function startWriter(folder: string, job: string, limit = ''): ChildProcess {
  const fixture = path.join(
    process.env['PARLEY_TEST_PROGRAMS'] ?? '',
    'gateway/test/store-writer.fixture.js',
  );
  const line = `${limit} exec "$0" "$1" "$2" "$3"`;
  return spawn('bash', ['-c', line, process.execPath, fixture, folder, job], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

test.each(aapStoreContract.map((each) => [each.id, each.title, each] as const))(
  '%s %s',
  async (_id, _title, requirement) => {
    const store = await openAapStore(await temporaryFolder());
    await expect(requirement.check(store)).resolves.toBeUndefined();
    await store.close();
  },
);

test('everything is restored after a restart', async () => {
  const folder = await temporaryFolder();
  const first = await openAapStore(folder);
  await first.append('one', [1, 2], { head: { title: 'a' } });
  await first.append('two', ['x'], { head: 'b' });
  await first.append('gone', [0], { head: 'c' });
  await first.remove('gone');
  await first.close();

  const second = await openAapStore(folder);
  await second.append('one', [3]);

  expect(await headsOf(second)).toEqual({ one: { title: 'a' }, two: 'b' });
  expect(await recordsOf(second, 'one')).toEqual([1, 2, 3]);
  await second.close();
  await expect(second.append('one', [4])).rejects.toMatchObject({ code: 'closed' });
});

test('one process at a time can open a store', async () => {
  const folder = await temporaryFolder();
  const store = await openAapStore(folder);

  await expect(openAapStore(folder)).rejects.toMatchObject({ code: 'store-in-use' });

  await store.close();
  await (await openAapStore(folder)).close();
});

test('listing reads no session files', async () => {
  const folder = await temporaryFolder();
  const first = await openAapStore(folder);
  for (const id of ['one', 'two']) await first.append(id, [id], { head: { id } });
  await first.close();
  await writeFile(fileOf(folder, 'one'), 'not to be read');

  const second = await openAapStore(folder);

  expect(await headsOf(second)).toEqual({ one: { id: 'one' }, two: { id: 'two' } });
  await expect(second.read('one', () => undefined)).rejects.toMatchObject({ code: 'damaged' });
  await second.close();
});

test.each(['lost', 'damaged'])('an index that is %s is made again from the sessions', async (what) => {
  const folder = await temporaryFolder();
  const first = await openAapStore(folder);
  await first.append('one', [1], { head: 'first' });
  await first.append('one', [2], { head: 'last' });
  await first.append('one', [3]);
  await first.append('headless', [1]);
  await first.close();
  const index = path.join(folder, 'heads.jsonl');
  await (what === 'lost' ? rm(index) : writeFile(index, 'something else'));

  const second = await openAapStore(folder);

  expect(await headsOf(second)).toEqual({ headless: undefined, one: 'last' });
  await second.close();
});

test('a session that is only in the index, or incomplete, is not listed', async () => {
  const folder = await temporaryFolder();
  const first = await openAapStore(folder);
  await first.append('one', [1], { head: 'a' });
  await first.append('two', [1], { head: 'b' });
  await first.close();
  await rm(path.dirname(fileOf(folder, 'one')), { recursive: true });
  await mkdir(path.dirname(fileOf(folder, 'three')));
  await writeFile(fileOf(folder, 'three'), '{"crc":"');

  const second = await openAapStore(folder);

  expect(await headsOf(second)).toEqual({ two: 'b' });
  expect(await recordsOf(second, 'one')).toBeUndefined();
  expect(await recordsOf(second, 'three')).toBeUndefined();
  await second.append('three', [3], { head: 'c' });
  expect(await recordsOf(second, 'three')).toEqual([3]);
  await second.close();
});

test('a torn addition is removed as a whole', async () => {
  const folder = await temporaryFolder();
  const first = await openAapStore(folder);
  await first.append('one', [1, 2]);
  await first.append('one', [3, 4]);
  await first.close();
  const { size } = await stat(fileOf(folder, 'one'));
  await truncate(fileOf(folder, 'one'), size - 3);

  const second = await openAapStore(folder);
  await second.append('one', [5]);

  expect(await recordsOf(second, 'one')).toEqual([1, 2, 5]);
  await second.close();
});

test('a long index is compacted while it is written to', async () => {
  const folder = await temporaryFolder();
  const index = await openHeadIndex(folder);
  for (let number = 0; number <= 3 * mostStaleLines; number += 1) {
    index.set(`s${String(number % 3)}`, { head: number, isOpen: false });
    if (number % 1000 === 0) await index.sync();
  }
  index.delete('s0');
  await index.close();

  const { size } = await stat(path.join(folder, 'heads.jsonl'));
  const again = await openHeadIndex(folder);

  expect(size).toBeLessThan(1.5 * mostStaleLines * 80);
  expect(Object.fromEntries(again.entries)).toEqual({
    s1: { head: 3 * mostStaleLines - 2, isOpen: false },
    s2: { head: 3 * mostStaleLines - 1, isOpen: false },
  });
  await again.close();
});

test('only the owner can read the store', async () => {
  const folder = await temporaryFolder();
  const store = await openAapStore(path.join(folder, 'store'));
  await store.append('one', [1]);
  await store.close();

  const files = await readdir(path.join(folder, 'store'), { recursive: true, withFileTypes: true });
  const modes = await Promise.all(files.map((file) => stat(path.join(file.parentPath, file.name))));

  expect(modes.map(({ mode }) => mode & 0o077)).toEqual(files.map(() => 0));
});

test('more sessions than open files are allowed lose nothing, and leave no file open', async () => {
  const folder = await temporaryFolder();
  const store = await openAapStore(folder, { openFiles: 2 });
  const ids = Array.from({ length: 10 }, (_, index) => `s${String(index)}`);

  for (const round of [1, 2, 3]) {
    await Promise.all(ids.map(async (id) => store.append(id, [round], { head: round })));
  }

  for (const id of ids) expect(await recordsOf(store, id)).toEqual([1, 2, 3]);
  expect(await headsOf(store)).toEqual(Object.fromEntries(ids.map((id) => [id, 3])));
  await store.close();
  if (process.platform === 'linux') expect(await openFilesIn(folder)).toEqual([]);
});

test('after a KILL at any moment every confirmed addition is complete', async () => {
  const folder = await temporaryFolder();
  const child = startWriter(folder, 'endless');
  let confirmed = 0;
  if (child.stdout === null) throw new Error('no output');
  for await (const chunk of child.stdout) {
    confirmed += String(chunk).length;
    if (confirmed > 200) break;
  }
  child.kill('SIGKILL');
  await once(child, 'close');

  const store = await openAapStore(folder);
  const records = (await recordsOf(store, 'session')) ?? [];
  const heads = await headsOf(store);

  expect(records.length).toBeGreaterThanOrEqual(3 * 200);
  expect(records.length % 3).toBe(0);
  expect(records).toEqual(records.map((_, index) => Math.floor(index / 3)));
  expect(heads).toEqual({ session: records.length / 3 - 1 });
  await store.append('session', ['on']);
  expect((await recordsOf(store, 'session'))?.at(-1)).toBe('on');
  await store.close();
});

test.runIf(process.platform === 'linux')(
  'a full disk is reported at once, tears no line, and is used again when there is room',
  async () => {
    const folder = await temporaryFolder();
    const child = startWriter(folder, 'full', 'trap "" XFSZ; ulimit -f 64;');
    if (child.stdout === null) throw new Error('no output');
    const [said] = await Promise.all([text(child.stdout), once(child, 'close')]);

    const { kept, refused }: { readonly kept: readonly string[]; readonly refused: string } =
      JSON.parse(said);
    const store = await openAapStore(folder);

    expect(refused).toBe('no-space');
    expect(kept.at(-1)).toBe('small');
    expect(await recordsOf(store, 'session')).toEqual(kept);
    await store.append('session', ['room']);
    expect(await recordsOf(store, 'session')).toEqual([...kept, 'room']);
    await store.close();
  },
);
