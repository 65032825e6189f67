import { hubMethods, type AttendResult, type HubSession } from '@parley/host/hub';
import { connect, memoryPair, RpcError, type Clock, type Connection } from '@parley/wire';
import { expect, onTestFinished, test, vi } from 'vitest';
import { connectHub } from './connect-hub.ts';
import type { HubClient } from './hub-client.ts';
import type { HubState } from './hub-state.ts';

const session: HubSession = {
  key: 'a',
  agent: 'parley',
  cwd: '/w',
  state: 'ready',
  createdAt: 1,
  updatedAt: 1,
  questions: 0,
  queue: [],
};

const hub: AttendResult = {
  sessions: [session],
  agents: [],
  questions: [],
  marks: { pinned: [], archived: [] },
  workspaces: ['/w'],
  machines: [],
  person: 'browser 1',
  scope: 'admin',
  version: '1.0.0',
};

interface Asked {
  readonly method: string;
  readonly params: unknown;
}

/** Time that a test moves. */
class StillClock implements Clock {
  #now = 0;
  #timers: { readonly at: number; readonly run: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.#now + ms, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  advance(ms: number): void {
    this.#now += ms;
    const due = this.#timers.filter(({ at }) => at <= this.#now);
    this.#timers = this.#timers.filter(({ at }) => at > this.#now);
    for (const { run } of due) run();
  }
}

/** A limit far off. */
const patience = { timeout: 60_000 };

/** A server that can be away, and a page that looks at it. */
function stage(answer: (asked: Asked) => unknown = () => ({})) {
  const clock = new StillClock();
  const signal = new AbortController();
  onTestFinished(() => signal.abort());
  const server = { isUp: true, knowsUs: true, version: '1.0.0', attempts: 0 };
  const asked: Asked[] = [];
  let peer: Connection | undefined;
  const { client, check } = connectHub({
    clock,
    random: () => 0.5,
    signal: signal.signal,
    isSignedIn: async () => server.knowsUs,
    open: () => {
      server.attempts += 1;
      const [ours, theirs] = memoryPair();
      peer = connect(theirs, {
        onRequest: async (method, params) => {
          asked.push({ method, params });
          if (method === 'initialize') return { protocolVersion: 1 };
          if (method === hubMethods.attend) return { ...hub, version: server.version };
          return await answer({ method, params });
        },
      });
      if (!server.isUp || !server.knowsUs) void peer.close();
      return ours;
    },
  });
  return { clock, server, client, check, asked, hangUp: async () => await peer?.close(), peer: () => peer };
}

/** Settles once the hub is so. */
async function until(client: HubClient, isSo: (state: HubState) => boolean): Promise<HubState> {
  return await new Promise((resolve) => {
    const stop = client.state.subscribe(look);
    function look(): void {
      const state = client.state.get();
      if (!isSo(state)) return;
      stop();
      resolve(state);
    }
    look();
  });
}

const is =
  (state: HubState['connection']['state']) =>
  ({ connection }: HubState): boolean =>
    connection.state === state;

test('the hub is known as soon as the connection is open', async () => {
  const { client } = stage();
  const state = await until(client, is('open'));
  expect(state.isKnown).toBe(true);
  expect(state.sessions.get('a')).toEqual(session);
  expect(state.person).toBe('browser 1');
});

test("changes right after the hub's response are not lost", async () => {
  const { client, peer } = stage();
  await until(client, is('open'));
  await peer()?.notify(hubMethods.update, { sessions: [{ ...session, state: 'running' }], removed: [] });
  const state = await until(client, ({ sessions }) => sessions.get('a')?.state === 'running');
  expect(state.workspaces).toEqual(['/w']);
});

test('a lost connection is retried with growing delays, and shows the next attempt', async () => {
  const { client, server, clock, hangUp } = stage();
  await until(client, is('open'));
  server.isUp = false;
  await hangUp();
  const first = await until(client, is('waiting'));
  expect(first.connection).toEqual({ state: 'waiting', retryAt: 500, attempts: 1 });
  expect(first.sessions.size).toBe(1);
  clock.advance(500);
  const second = await until(
    client,
    ({ connection }) => connection.state === 'waiting' && connection.attempts === 2,
  );
  expect(second.connection).toMatchObject({ retryAt: 1500 });
  server.isUp = true;
  clock.advance(1000);
  await until(client, is('open'));
  expect(server.attempts).toBe(3);
});

test('"Retry now" does not wait, and starts no second attempt in parallel', async () => {
  const { client, server, clock, hangUp } = stage();
  await until(client, is('open'));
  await hangUp();
  await until(client, is('waiting'));
  client.reconnect();
  client.reconnect();
  await until(client, is('open'));
  clock.advance(60_000);
  client.reconnect();
  expect(server.attempts).toBe(2);
});

test('requests without a connection wait for the next one', async () => {
  const { client, server, asked, hangUp } = stage();
  await until(client, is('open'));
  server.isUp = false;
  await hangUp();
  await until(client, is('waiting'));
  const renamed = client.rename('a', 'engine');
  server.isUp = true;
  client.reconnect();
  await renamed;
  expect(asked.at(-1)).toEqual({ method: hubMethods.rename, params: { sessionId: 'a', title: 'engine' } });
});

test('a request that waits too long for a connection fails, and is not sent later', async () => {
  const { client, server, asked, clock, hangUp } = stage();
  await until(client, is('open'));
  server.isUp = false;
  await hangUp();
  await until(client, is('waiting'));
  const renamed = client.rename('a', 'engine');
  clock.advance(20_000);
  await expect(renamed).rejects.toMatchObject({ code: 'not-connected' });
  await until(client, ({ connection }) => connection.state === 'waiting' && connection.attempts === 2);
  server.isUp = true;
  client.reconnect();
  await until(client, is('open'));
  expect(asked.map(({ method }) => method)).not.toContain(hubMethods.rename);
});

test('a request in flight when the connection is lost is not sent twice', async () => {
  const { client, asked, hangUp } = stage(async () => await new Promise(() => {}));
  await until(client, is('open'));
  const closed = client.close('a');
  const settled = expect(closed).rejects.toMatchObject({ code: 'lost' });
  await expect.poll(() => asked.at(-1)?.method).toBe('session/close');
  void hangUp();
  await settled;
  client.reconnect();
  await until(client, is('open'));
  expect(asked.filter(({ method }) => method === 'session/close')).toHaveLength(1);
});

test('an error has the message and the code of the server', async () => {
  const { client } = stage(() => {
    throw new RpcError(-32002, 'another client has answered');
  });
  await expect(client.answer('a', '1', { kind: 'cancel' })).rejects.toMatchObject({
    code: 'refused',
    rpcCode: -32002,
    message: 'another client has answered',
  });
});

test('an unknown browser is signed out, and continues when it is signed in again', async () => {
  const { client, server, hangUp } = stage();
  await until(client, is('open'));
  server.knowsUs = false;
  await hangUp();
  await until(client, is('signed-out'));
  await expect(client.rename('a', 'engine')).rejects.toMatchObject({ code: 'signed-out' });
  server.knowsUs = true;
  client.reconnect();
  const state = await until(client, is('open'));
  expect(state.sessions.size).toBe(1);
});

test('a server with another version makes the page outdated', async () => {
  const { client, server, hangUp } = stage();
  expect((await until(client, is('open'))).isOutdated).toBe(false);
  server.version = '1.1.0';
  await hangUp();
  await until(client, is('waiting'));
  client.reconnect();
  expect((await until(client, is('open'))).isOutdated).toBe(true);
});

test('frames are requested again with each connection', async () => {
  const { client, asked, hangUp } = stage();
  await until(client, is('open'));
  client.watchFrames('a', () => {});
  await expect.poll(() => asked.at(-1)?.method).toBe(hubMethods.watchFrames);
  await hangUp();
  await until(client, is('waiting'));
  client.reconnect();
  await until(client, is('open'));
  await expect.poll(() => asked.filter(({ method }) => method === hubMethods.watchFrames)).toHaveLength(2);
});

test('a silent connection is closed when the page becomes visible', async () => {
  const { client, check, clock, server } = stage();
  await until(client, is('open'));
  const checked = check();
  // Before the answer to the probe is here.
  clock.advance(8000);
  await checked;
  await until(client, is('waiting'));
  client.reconnect();
  await until(client, is('open'));
  expect(server.attempts).toBe(2);
});

test('a session is watched before the server has answered, and once with each connection', async () => {
  vi.stubGlobal('document', { visibilityState: 'hidden' });
  onTestFinished(() => void vi.unstubAllGlobals());
  const { client, asked, hangUp } = stage();
  client.watch('a', () => {});
  const watch = { method: hubMethods.watch, params: { sessionId: 'a', after: 0 } };
  await expect.poll(() => asked, patience).toContainEqual(watch);
  await until(client, is('open'));
  await hangUp();
  await until(client, is('waiting'));
  client.reconnect();
  await expect.poll(() => asked.length, patience).toBe(6);
  expect(asked.slice(3).map(({ method }) => method)).toEqual([
    'initialize',
    hubMethods.attend,
    hubMethods.watch,
  ]);
  expect(asked.filter(({ method }) => method === hubMethods.watch)).toEqual([watch, watch]);
});
