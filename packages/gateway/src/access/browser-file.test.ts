import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openBrowserFile, type KeptBrowserSessions } from './browser-file.ts';

const day = 24 * 60 * 60 * 1000;
const token = 'a'.repeat(64);
let folder = '';
let file = '';
let time = 0;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'parley-browsers-'));
  file = path.join(folder, 'browsers.json');
  time = 1_800_000_000_000;
});

afterEach(() => rm(folder, { recursive: true }));

test('browsers stay signed in after a restart, and the cookie keeps its name', async () => {
  const before = await openSessions();
  const cookie = before.open(token);
  const ended = before.open(token);
  before.end(before.find(ended)?.id ?? '');
  await before[Symbol.asyncDispose]();

  await using after = await openSessions();

  expect(after.find(cookie)).toMatchObject({ token });
  expect(after.find(ended)).toBeUndefined();
  expect(after.serverId).toBe(before.serverId);
  expect(after.ownDigest).toBe(before.ownDigest);
});

test('the file contains no credentials, and only its owner can read it', async () => {
  const sessions = await openSessions();
  const cookie = sessions.open(token);
  await sessions[Symbol.asyncDispose]();

  expect(await readFile(file, 'utf8')).not.toContain(cookie);
  expect((await stat(file)).mode & 0o077).toBe(0);
});

test('a file of an earlier version, with entries of kinds that are unknown now, keeps its browsers', async () => {
  const before = await openSessions();
  const cookie = before.open(token);
  await before[Symbol.asyncDispose]();
  const { version, entries } = JSON.parse(await readFile(file, 'utf8')) as {
    version: number;
    entries: object[];
  };
  await writeFile(file, JSON.stringify({ version, entries: [{ kind: 'spent', token }, ...entries, 7] }));

  const after = await openSessions();
  expect(after.find(cookie)).toMatchObject({ token });
  after.open(token);
  await after[Symbol.asyncDispose]();

  await using later = await openSessions();
  expect(later.find(cookie)).toMatchObject({ token });
});

test('a browser used at least once a month stays signed in, and its cookie is renewed once a day', async () => {
  await using sessions = await openSessions();
  const cookie = sessions.open(token);

  time += day / 2;
  expect(sessions.find(cookie)?.isRenewed).toBe(false);
  time += 29 * day;
  expect(sessions.find(cookie)?.isRenewed).toBe(true);
  expect(sessions.find(cookie)?.isRenewed).toBe(false);
  time += 30 * day;
  expect(sessions.find(cookie)).toBeUndefined();
});

test('beyond the limit, the browser seen longest ago is signed out', async () => {
  await using sessions = await openSessions({ browserSessions: 2, browserSessionMs: 30 * day });
  const [first, second] = [sessions.open(token), sessions.open(token)];
  time += 2 * day;
  sessions.find(first);
  sessions.open(token);

  expect(sessions.find(first)).toBeDefined();
  expect(sessions.find(second)).toBeUndefined();
});

test('a file that cannot be written is reported, and no browser is signed out', async () => {
  const faults: unknown[] = [];
  const sessions = await openBrowserFile(path.join(folder, 'gone', 'x'.repeat(300)), {
    onFault: (error) => faults.push(error),
  });
  const cookie = sessions.open(token);
  await sessions[Symbol.asyncDispose]();

  expect(faults).toHaveLength(1);
  expect(sessions.find(cookie)).toBeDefined();
});

function openSessions(
  limits = { browserSessions: 1000, browserSessionMs: 30 * day },
): Promise<KeptBrowserSessions> {
  return openBrowserFile(file, {
    limits,
    now: () => time,
    onFault: (error) => expect.unreachable(String(error)),
  });
}
