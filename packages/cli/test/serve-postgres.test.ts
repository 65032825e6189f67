import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { createAapClient, type AapClient } from '@parley/aap';
import { findPostgres, startProxy, type TestPostgres } from '@parley/conformance';
import type { LoggedEvent, SessionStore } from '@parley/host';
import { postgresStore } from '@parley/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { examineStore } from '../src/doctor/examine-store.ts';
import { hubWorktrees } from '../src/serve/hub-worktrees.ts';
import { storesIn } from '../src/store/folder-stores.ts';
import { finish, parley, startParley, temporaryFolder, type Finished } from './command.ts';
import { linesOf, startTestHub, type TestHub } from './hub.ts';
import { runSql, startTestPostgres } from './postgres.ts';
import { testRepository } from './repository.ts';

const found = findPostgres();

function clientOf({ file }: TestHub, token = file.token): AapClient {
  return createAapClient({ baseUrl: `${file.url}/aap`, apiKey: token });
}

async function say(client: AapClient, text: string): Promise<string> {
  const { sessionId } = await client.createSession({ agent: { name: 'parley' } });
  const turn = await client.postTurn(sessionId, { messages: [{ role: 'user', content: `say: ${text}` }] });
  expect(turn.stopReason).toBe('end_turn');
  return sessionId;
}

/** The events of all sessions, as they are stored. */
async function eventsIn(
  stores: readonly SessionStore[],
): Promise<Readonly<Record<string, readonly LoggedEvent[]>>> {
  const all: Record<string, LoggedEvent[]> = {};
  for (const store of stores) {
    for (const { key } of await store.list()) {
      const events: LoggedEvent[] = (all[key] ??= []);
      await store.read(key, (event) => void events.push(event));
    }
  }
  return all;
}

describe.skipIf('missing' in found)('a hub whose sessions are in PostgreSQL', () => {
  let server: TestPostgres;

  beforeAll(async () => {
    server = await startTestPostgres();
  });

  afterAll(() => server[Symbol.asyncDispose]());

  test('a worktree is in use while a hub has a session open there in its database', async () => {
    await using repo = await testRepository();
    await repo.run(['--worktree=fix', 'say: hi']);
    const [listed] = await repo.worktrees();
    const worktree = { name: 'fix', path: String(listed?.['path']), branch: 'parley/fix' };
    const url = await server.createDatabase();
    await using store = postgresStore({ url, env: {}, folder: path.join(repo.home, 'frames') });
    await store.ready();
    const log = await store.open('theirs', {
      start: { agent: 'parley', program: 'a hub', cwd: worktree.path, worktree },
      onFailure: () => undefined,
    });
    const env = { PARLEY_STORE: url };
    const hub = hubWorktrees({ PARLEY_HOME: repo.home }, store);

    await expect(hub.open(repo.path, { name: 'fix' })).rejects.toThrow('"fix" is in use');
    expect(await repo.run(['--worktree=fix', 'say: hi'], { env })).toMatchObject({ status: 5 });
    expect(await repo.parley(['worktrees', 'remove', 'fix', '--discard'], { env })).toMatchObject({
      status: 5,
      stderr: expect.stringContaining('the worktree "fix" is in use') as string,
    });
    const list = await repo.parley(['worktrees', 'list', '--json', '--store', url]);
    expect(JSON.parse(list.stdout)).toMatchObject({ worktrees: [{ session: 'theirs' }] });

    await log[Symbol.asyncDispose]();
    expect(await repo.parley(['worktrees', 'remove', 'fix', '--store', url])).toMatchObject({ status: 0 });
  });

  test('two hubs share sessions of applications and terminals, tokens and copies, one after the other and at once', async () => {
    await using one = await temporaryFolder();
    await using two = await temporaryFolder();
    const url = await server.createDatabase();
    const { password } = new URL(url);
    const env = { PARLEY_STORE: url };
    const run = (words: readonly string[], cwd = one.path): Promise<Finished> => parley(words, { cwd, env });
    const key = path.join(two.path, 'secrets.key');
    await using first = await startTestHub(one.path, ['--store', url, '--secrets-key', key]);
    await using proxy = await startProxy(url);
    await using second = await startTestHub(two.path, [
      '--store',
      proxy.url,
      '--replica',
      'b',
      '--secrets-key',
      key,
    ]);
    expect((await stat(key)).mode & 0o077).toBe(0);

    const said = await say(clientOf(first), 'hello there');
    const prompt = [
      'attach',
      '--new',
      '-a',
      'parley',
      '--prompt',
      'say: hi again\nwrite x: y',
      '--format',
      'json',
    ];
    const lines = linesOf(await run(prompt));
    expect(lines.at(-1)).toMatchObject({ type: 'stop', stopReason: 'end_turn' });

    // While the database is unreachable, a hub says so, and then goes on.
    const readiness = async (): Promise<number> => (await fetch(`${second.file.url}/readyz`)).status;
    expect(await readiness()).toBe(200);
    proxy.mode = 'refuse';
    const notReady = await fetch(`${second.file.url}/readyz`);
    expect(notReady.status).toBe(503);
    expect(await notReady.text()).toContain('the store');
    expect((await fetch(`${second.file.url}/healthz`)).status).toBe(200);
    proxy.mode = 'pass';
    await expect.poll(readiness).toBe(200);

    // The other hub lists them, and knows the tokens.
    const token = (await run(['serve', 'tokens', 'add', 'ci', '--scope', 'admin'])).stdout.trim();
    expect(token).toMatch(/^parley_/u);
    for (const hub of [first, second]) {
      expect(await clientOf(hub, token).getHistory(said, 'full')).toMatchObject([
        { content: 'say: hello there' },
        { role: 'assistant' },
      ]);
    }
    const list = JSON.parse((await run(['sessions', 'list', '--json'])).stdout) as {
      sessions: { id: string }[];
    };
    expect(list.sessions).toHaveLength(2);
    expect((await run(['sessions', 'search', 'hi again'])).status).toBe(0);
    expect(JSON.parse((await run(['changes', 'list', said, '--json'])).stdout)).toMatchObject({ turns: [] });
    // Its request, which no client could answer, is judged by the rules of this machine.
    const simulate = ['permissions', 'simulate', '--json'];
    const here = await parley(simulate, { cwd: one.path });
    const flagged = await parley([...simulate, '--store', url], { cwd: one.path });
    expect(
      [here, await run(simulate), flagged].map(({ stdout }): unknown => JSON.parse(stdout)),
    ).toMatchObject([{ judged: 0 }, { judged: 1 }, { judged: 1 }]);
    // The same with the flag, which is one of "serve" too.
    const typed = await parley(['serve', 'tokens', 'list', '--store', url], { cwd: one.path });
    expect(typed.stdout).toMatch(/^ci +admin/mu);
    expect((await run(['serve', 'tokens', 'revoke', 'ci'])).status).toBe(0);
    await expect
      .poll(async () => {
        const headers = { authorization: `Bearer ${token}` };
        return (await fetch(`${second.file.url}/aap/meta`, { headers })).status;
      })
      .toBe(401);
    const metrics = await fetch(`${first.file.url}/metrics`, {
      headers: { authorization: `Bearer ${first.file.token}` },
    });
    const measured = await metrics.text();
    expect(measured).toMatch(/parley_store_seconds_count [1-9]/u);
    expect(measured).toContain('parley_lease_changes_total 0');
    expect(measured).toContain('parley_commands_waiting 0');

    for (const { stderr, status } of [await first.end(), await second.end()]) {
      expect(status).toBe(0);
      expect(stderr).not.toContain(password);
    }

    // Another key is refused.
    const third = startParley(['serve', '--port', '0', '--store', url, '--secrets-key', 'other.key'], {
      cwd: two.path,
    });
    third.stdin.end();
    const refused = await finish(third);
    expect(refused).toMatchObject({ status: 1 });
    expect(refused.stderr).toContain('--secrets-key');
    expect(refused.stderr).not.toContain(password);

    // To a folder, and from there to another database, it is the same event by event.
    const copied = await run(['sessions', 'copy', '--from', url, '--to', 'copy', '--json']);
    expect(JSON.parse(copied.stdout)).toMatchObject({ copied: { length: 2 }, same: [], differs: [] });
    const other = await server.createDatabase();
    expect((await run(['sessions', 'copy', '--from', 'copy', '--to', other])).status).toBe(0);
    const again = await run(['sessions', 'copy', '--from', url, '--to', other, '--json']);
    expect(JSON.parse(again.stdout)).toMatchObject({ copied: [], same: { length: 2 }, differs: [] });
    const raw = await run(['sessions', 'show', said, '--raw', '--store', other]);
    const stored = await readFile(path.join(one.path, 'copy', 'sessions', said, 'journal.jsonl'), 'utf8');
    const records = linesOf({ ...raw, stdout: stored }).slice(1);
    expect(records.map(({ record }) => record)).toEqual(linesOf(raw));

    await runSql(other, `update parley.records set record = replace(record, 'hello', 'HELLO')`);
    const differing = await run(['sessions', 'copy', '--from', url, '--to', other, '--json']);
    expect(differing.status).toBe(5);
    expect(JSON.parse(differing.stdout)).toMatchObject({ differs: [said] });

    // What was copied to a folder is served from it.
    const served = path.join(one.path, 'copy');
    await using files = await startTestHub(two.path, ['--store', served]);
    expect(JSON.stringify(await clientOf(files).getHistory(said, 'full'))).toContain('hello there');
    const inFiles = { cwd: two.path, env: { PARLEY_STORE: '' } };
    await say(clientOf(files), 'in files');
    // No client could allow its write.
    expect((await parley(prompt, inFiles)).status).toBe(3);
    await files.end();

    // What was begun in files goes to a database, and back: it is the same event by event.
    const between = await server.createDatabase();
    for (const [from, to] of [
      [served, between],
      [between, 'back'],
    ] as const) {
      const moved = await parley(['sessions', 'copy', '--from', from, '--to', to, '--json'], inFiles);
      expect(JSON.parse(moved.stdout)).toMatchObject({ copied: { length: 4 }, differs: [] });
    }
    const begun = await eventsIn(await storesIn(served, {}));
    expect(Object.values(begun).flat().length).toBeGreaterThan(20);
    await using database = postgresStore({ url: between, folder: two.path });
    expect(await eventsIn([database])).toEqual(begun);
    expect(await eventsIn(await storesIn(path.join(two.path, 'back'), {}))).toEqual(begun);
  });

  test('a prompt for a session whose folder no machine has says why it waits, and is not sent once it was cancelled', async () => {
    await using one = await temporaryFolder();
    await using two = await temporaryFolder();
    const url = await server.createDatabase();
    const store = ['--store', url];
    await using first = await startTestHub(one.path, [...store, '--workspace', `app=${one.path}`]);
    const begun = await parley(['attach', '--new', '--prompt', 'say: hi', '--format', 'json'], {
      cwd: one.path,
    });
    const key = String(linesOf(begun)[0]?.['sessionId']);
    await first.end();
    await using _second = await startTestHub(two.path, store);

    const prompt = ['attach', key, '--prompt', 'say: too late', '--format', 'json'];
    for (let time = 0; time < 2; time += 1) {
      const waiting = startParley(prompt, { cwd: two.path });
      waiting.stdin.end();
      let printed = '';
      waiting.stdout.on('data', (text: string) => {
        printed += text;
      });
      const waited = finish(waiting);
      await expect.poll(() => printed).toContain('no-machine');
      waiting.kill('SIGINT');
      expect(linesOf(await waited)).toMatchObject([
        { type: 'session' },
        { type: 'diagnostic', code: 'no-machine', message: expect.stringContaining('app') as string },
        { type: 'stop', stopReason: 'cancelled', exitCode: 130 },
      ]);
    }

    await using _third = await startTestHub(one.path, [...store, '--workspace', `app=${one.path}`]);
    const next = await parley(['attach', key, '--prompt', 'say: again', '--format', 'json'], {
      cwd: one.path,
    });
    expect(next.status).toBe(0);
    const shown = await parley(['sessions', 'show', key, ...store], { cwd: one.path });
    expect(shown.stdout).toContain('say: again');
    expect(shown.stdout).not.toContain('too late');
  });

  test('it waits, not ready, for an unreachable database, and rejects a newer schema', async () => {
    await using folder = await temporaryFolder();
    const nowhere = startParley(
      ['serve', '--port', '0', '--store', 'postgres://u:secret-word@127.0.0.1:1/none'],
      {
        cwd: folder.path,
      },
    );
    nowhere.stdin.end();
    let log = '';
    nowhere.stderr.on('data', (text: string) => {
      log += text;
    });
    const finished = finish(nowhere);
    await expect.poll(() => log).toContain('ECONNREFUSED');
    const at = /"url":"([^"]+)"/u.exec(log)?.[1] ?? '';
    const ready = await fetch(`${at}/readyz`);
    expect(ready.status).toBe(503);
    expect(await ready.text()).toContain('store');
    expect((await fetch(`${at}/healthz`)).status).toBe(200);
    expect((await fetch(`${at}/aap/meta`)).status).toBe(503);
    nowhere.kill('SIGTERM');
    expect((await finished).status).toBe(0);
    expect(log).not.toContain('secret-word');

    const url = await server.createDatabase();
    expect(await examineStore({ cwd: folder.path, env: { PARLEY_STORE: url } })).toMatchObject([
      { level: 'ok', message: expect.stringContaining('creates the schema') as string },
      { level: 'note' },
      { level: 'note' },
    ]);
    await runSql(
      url,
      'create schema parley; create table parley.migrations (step int primary key); insert into parley.migrations values (99)',
    );
    // The doctor sees it too, and changes nothing.
    const env = { PARLEY_STORE: url, PARLEY_SECRETS_KEY: 'key' };
    expect(await examineStore({ cwd: folder.path, env })).toMatchObject([
      { level: 'problem', message: expect.stringContaining('newer version') as string },
      { level: 'note' },
    ]);
    const refused = await parley(['sessions', 'list', '--store', url], { cwd: folder.path });
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain('version 99');
    expect(refused.stderr).not.toContain(new URL(url).password);
    const unserved = await parley(['serve', '--port', '0', '--store', url], { cwd: folder.path });
    expect(unserved).toMatchObject({ status: 1, stdout: '' });
    expect(unserved.stderr).toContain('version 99');
    const usage = await parley(['sessions', 'list', '--store', 'postgres:nothing'], { cwd: folder.path });
    expect(usage.status).toBe(2);
  });
});
