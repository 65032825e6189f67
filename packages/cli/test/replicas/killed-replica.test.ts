import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findPostgres } from '@parley/conformance';
import { openRemote } from '@parley/host';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { configureAgent, isRunning, scripted, temporaryFolder } from '../command.ts';
import { startTestHub, type TestHub } from '../hub.ts';
import { runSql, startTestPostgres } from '../postgres.ts';
import { TestClient } from './replica-stage.ts';

/** Long enough for servers that wait for a processor: who is late by that loses its sessions. */
const leaseSeconds = 6;
/** Signs of life of a replica in the time of a lease. */
const signsInLease = 3;
/** How long the agents of a server may run after it was frozen for longer than its lease, and goes on. */
const endSeconds = 5;

/** Notes signs of life of replicas and changes of owners, by the clock of the database. */
const noting = `
  create table public.signs (name text, at timestamptz not null default clock_timestamp(), alive_until timestamptz);
  create table public.owners (key text, owner uuid, at timestamptz not null default clock_timestamp());
  create function public.note_sign() returns trigger language plpgsql as $$
    begin insert into public.signs (name, alive_until) values (new.name, new.alive_until); return new; end $$;
  create function public.note_owner() returns trigger language plpgsql as $$
    begin insert into public.owners (key, owner) values (new.key, new.owner); return new; end $$;
  create trigger note_sign after insert or update on parley.replicas for each row execute function public.note_sign();
  create trigger note_owner after update of owner on parley.sessions for each row execute function public.note_owner();`;

describe.skipIf('missing' in findPostgres())('two servers of a hub', () => {
  const opened: AsyncDisposable[] = [];
  let url: string;
  let root: string;
  let shared: string;
  /** A file for which turns wait. */
  let gate: string;
  let one: TestHub;
  let two: TestHub;

  beforeAll(async () => {
    const server = await startTestPostgres();
    opened.push(server);
    const folder = await temporaryFolder();
    opened.push(folder);
    url = await server.createDatabase();
    root = folder.path;
    shared = path.join(root, 'shared');
    gate = path.join(root, 'gate');
    await mkdir(shared);
    one = await open('one');
    two = await open('two');
  });

  afterAll(async () => {
    for (const each of opened.toReversed()) await each[Symbol.asyncDispose]();
  });

  async function open(name: string): Promise<TestHub> {
    const folder = path.join(root, name);
    const script = {
      initialize: { agentCapabilities: { sessionCapabilities: { resume: {} } } },
      prompt: [
        { shell: 'echo $PPID' },
        { say: 'begun ' },
        { untilFile: gate },
        { say: 'done' },
        { shell: `touch '${root}'/passed-$PPID` },
      ],
    };
    const options = [{ type: 'secret', name: 'key', env: 'SCRIPTED_KEY', default: '' }];
    await configureAgent(folder, 'scripted', { words: scripted(script), env: {}, options });
    const flags = ['--store', url, '--replica', name, '--lease', String(leaseSeconds)];
    const hub = await startTestHub(folder, [...flags, '--workspace', `app=${shared}`]);
    opened.push(hub);
    return hub;
  }

  async function join({ file }: TestHub): Promise<TestClient> {
    const headers = { Authorization: `Bearer ${file.token}` };
    const client = new TestClient(
      await openRemote({ url: `${file.url.replace(/^http/u, 'ws')}/acp`, headers }),
    );
    await client.begin(true);
    return client;
  }

  async function begin(client: TestClient): Promise<string> {
    const begun = { cwd: shared, mcpServers: [], _meta: { 'parley/agent': 'scripted' } };
    return String((await client.ask('session/new', begun))['sessionId']);
  }

  /** A request of an application. @param key With which it may be repeated. */
  function ask(
    { file }: TestHub,
    target: string,
    { body, key }: { readonly body: object; readonly key?: string },
  ): Promise<Response> {
    const headers = {
      authorization: `Bearer ${file.token}`,
      'content-type': 'application/json',
      ...(key !== undefined && { 'idempotency-key': key }),
    };
    return fetch(`${file.url}/aap${target}`, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  test.skipIf(process.platform !== 'linux')(
    'a server that was frozen for longer than its lease appends nothing, and ends its agents; another one has its sessions by then',
    async ({ annotate }) => {
      await runSql(url, noting);
      const sql = postgres(url, { max: 1, onnotice: () => undefined });
      onTestFinished(() => sql.end());
      onTestFinished(() => rm(gate, { force: true }));
      const near = await join(one);
      const far = await join(two);
      const sessionId = await begin(far);
      await near.until(() => near.sessions.get(sessionId)?.machine === 'two');
      for (const client of [near, far]) await client.watch(sessionId);
      const first = near.prompt(sessionId, 'first').catch((error: unknown) => String(error));
      await near.until(() => textIn(near).includes('begun'));
      const agent = Number(/"output":"(\d+)"/u.exec(textIn(near))?.[1]);
      const second = near.prompt(sessionId, 'second');
      await near.until(() => near.sessions.get(sessionId)?.queue.length === 1);

      process.kill(two.file.pid, 'SIGSTOP');
      onTestFinished(() => void process.kill(two.file.pid, 'SIGCONT'));
      await near.until(() => near.sessions.get(sessionId)?.machine === 'one');
      // The agent is not frozen: it says more, and its turn ends.
      await writeFile(gate, '');
      expect(await first).toContain('the machine that ran the turn has ended');
      expect(await second).toMatchObject({ stopReason: 'end_turn' });
      await expect.poll(() => existsSync(path.join(root, `passed-${String(agent)}`))).toBe(true);
      expect(isRunning(agent)).toBe(true);
      const [now] = await sql`select clock_timestamp()::text as at`;
      const thaw = String(now?.['at']);
      process.kill(two.file.pid, 'SIGCONT');
      await expect.poll(() => isRunning(agent)).toBe(false);
      const [ended] = await sql`
        select count(*)::int as signs, (extract(epoch from clock_timestamp() - ${thaw}::timestamptz) * 1000)::int as ms
        from public.signs where name = 'two' and at > ${thaw}::timestamptz`;

      await expect.poll(() => far.events).toEqual(near.events);
      expect(far.events.map(({ seq }) => seq)).toEqual(far.events.map((_, index) => index + 1));
      expect(textIn(near).match(/begun|done/gu)).toEqual(['begun', 'begun', 'done']);
      expect(near.types.filter((type) => type === 'turn-end' || type === 'interruption')).toEqual([
        'interruption',
        'turn-end',
      ]);
      const [taken] = await sql`
        with frozen as (select max(alive_until) as until from public.signs where name = 'two' and at < ${thaw}::timestamptz),
        taken as (select min(o.at) as at from public.owners o join parley.replicas r on r.id = o.owner
          where o.key = ${sessionId} and r.name = 'one')
        select (extract(epoch from taken.at - frozen.until) * 1000)::int as ms,
          (select count(*)::int from public.signs where name = 'one' and at between frozen.until and taken.at) as signs
        from frozen, taken`;
      // Limits of seconds, counted in signs of life of the server that has to keep them: on a busy machine both are late.
      await annotate(
        `taken over ${String(taken?.['ms'])} ms and ${String(taken?.['signs'])} signs of life after the lease ran out; agents ended ${String(ended?.['ms'])} ms and ${String(ended?.['signs'])} signs of life after the thaw`,
      );
      expect(Number(taken?.['ms'])).toBeGreaterThanOrEqual(0);
      expect(Number(taken?.['signs'])).toBeLessThanOrEqual(signsInLease);
      expect(Number(ended?.['signs'])).toBeLessThanOrEqual((endSeconds / leaseSeconds) * signsInLease);
    },
  );

  test('what applications ask two servers at once with the same Idempotency-Key has one session and one turn', async () => {
    const agent = { name: 'parley', options: { cwd: shared } };
    const messages = [{ role: 'user', content: 'say: hi' }];
    const bothOf = async (target: string, body: object, key: string): Promise<unknown[]> => {
      const answers = await Promise.all([one, two].map((at) => ask(at, target, { body, key })));
      return await Promise.all(answers.map((answer) => answer.json()));
    };
    const keys = Array.from({ length: 10 }, (_, index) => `key ${String(index)}`);
    const pairs = await Promise.all(keys.map((key) => bothOf('/sessions', { agent }, key)));
    for (const [near, far] of pairs) expect(far).toEqual(near);
    const ids = pairs.map(([created]) => (created as { sessionId: string }).sessionId);
    expect(new Set(ids).size).toBe(keys.length);

    for (const id of ids.slice(0, 3)) {
      const [near, far] = await bothOf(`/sessions/${id}/turns`, { messages }, 'turn');
      expect(near).toMatchObject({ stopReason: 'end_turn' });
      expect(far).toEqual(near);
      const history = await fetch(`${two.file.url}/aap/sessions/${id}/history?type=full`, {
        headers: { authorization: `Bearer ${two.file.token}` },
      });
      expect(JSON.stringify(await history.json()).match(/say: hi/gu)).toHaveLength(1);
    }
    const other = await ask(two, '/sessions', { body: { agent, messages }, key: 'key 0' });
    expect(other.status).toBe(422);
  });

  test('a client of one server loses nothing when another one, which runs its sessions, is killed; secrets that only that one could read are asked for again', async () => {
    const near = await join(one);
    const far = await join(two);

    const sessionId = await begin(near);
    await far.until(() => far.sessions.get(sessionId)?.machine === 'one');
    await far.watch(sessionId);
    const agent = { name: 'scripted', options: { cwd: shared, key: 'planted-secret' } };
    const created = await ask(one, '/sessions', { body: { agent }, key: 'the application' });
    const application = (await created.json()) as { sessionId: string };
    const go = { stream: 'delta', messages: [{ role: 'user', content: 'go' }] };
    const turn = await ask(two, `/sessions/${application.sessionId}/turns`, { body: go });
    expect(turn.status).toBe(200);
    const reader = turn.body?.pipeThrough(new TextDecoderStream()).getReader();
    let streamed = '';
    while (!streamed.includes('begun')) streamed += (await reader?.read())?.value ?? '';
    const first = far.prompt(sessionId, 'first').catch((error: unknown) => String(error));
    await far.until(() => far.types.includes('turn-start'));
    expect(far.machines).toMatchObject([{ name: 'two', isThis: true }, { name: 'one' }]);
    const second = far.prompt(sessionId, 'second');

    await one.end('SIGKILL');
    await writeFile(gate, '');

    expect(await first).toContain('the machine that ran the turn has ended');
    expect(await second).toMatchObject({ stopReason: 'end_turn' });
    for (;;) {
      const { done, value = '' } = (await reader?.read()) ?? { done: true };
      streamed += value;
      if (done) break;
    }
    expect(streamed.match(/event: turn_stop/gu)).toHaveLength(1);
    expect(streamed).toContain('"stopReason":"error"');
    await far.until(() =>
      far.machines.some(({ name, silentSince }) => name === 'one' && silentSince !== undefined),
    );
    // The servers have no common key: the secret was sealed with that of the killed one.
    const refused = await ask(two, `/sessions/${application.sessionId}/turns`, { body: go });
    const said = await refused.text();
    expect(refused.status).toBe(409);
    expect(said).toContain('secret_needed');
    expect(said).toContain('cannot decrypt key, which was stored with another key');
    const again = await ask(two, '/sessions', { body: { agent }, key: 'the application' });
    expect(await again.json()).toEqual(application);
  });
});

/** What the agents said. */
function textIn({ events }: TestClient): string {
  return events
    .map(({ update }) => (update as { content?: { text?: string } } | undefined)?.content?.text ?? '')
    .join('');
}
