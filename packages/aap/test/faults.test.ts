import { memoryStore, type AapSessionStore } from '@parley/aap/server';
import { expect, test } from 'vitest';
import { fakeClock } from './fake-clock.ts';
import { eventsOf, everything, inShort, json, readUntil, says, stage, stageOf } from './stage.ts';

/** A store with a switch: while it is off, nothing can be kept. */
interface FailingDisk {
  readonly store: AapSessionStore;
  isFull: boolean;
  /** Settles when records with that text are stored. */
  stores(text: string): Promise<void>;
}

function failingStore(): FailingDisk {
  const memory = memoryStore();
  const waiting = new Map<string, () => void>();
  const disk = {
    isFull: false,
    stores: (text: string) => new Promise<void>((resolve) => waiting.set(text, resolve)),
    store: {
      ...memory,
      async append(...[sessionId, records, options]: Parameters<AapSessionStore['append']>) {
        await Promise.resolve();
        if (disk.isFull) throw new Error('no space left');
        await memory.append(sessionId, records, options);
        for (const [text, settle] of waiting) if (JSON.stringify(records).includes(text)) settle();
      },
    },
  };
  return disk;
}

test('a store failure in a turn ends it with an error; stored data remains, and the next turn works', async () => {
  const disk = failingStore();
  const faults: string[] = [];
  const { create, turn, history, send } = stage(
    async (run) => {
      const isKept = disk.stores('kept ');
      await run.text('kept ');
      await isKept;
      disk.isFull = true;
      await run.text('lost');
      await run.text('never said');
    },
    { store: disk.store, onEvent: ({ type }) => faults.push(type) },
  );
  const sessionId = await create();
  const events = await turn(sessionId, says('go'));
  expect(events.at(-1)?.data).toMatchObject({ stopReason: 'error', error: { code: 'store_failed' } });
  expect(JSON.stringify(events)).not.toContain('lost');
  expect(faults).toEqual(['turn-start', 'first-event', 'fault', 'turn-stop']);

  disk.isFull = false;
  expect(await history(sessionId)).toMatchObject([
    { role: 'user' },
    { role: 'assistant', content: [{ text: 'kept ' }] },
  ]);
  const turns = await json(await send('GET', `/sessions/${sessionId}/turns`));
  expect(turns).toMatchObject({
    turns: [{ status: 'stopped', stopReason: 'error', error: { code: 'store_failed' } }],
  });
  expect(inShort(await turn(sessionId, says('again')))[1]).toBe('text_delta kept ');
});

test('a store that fails immediately ends the turn like one that fails later', async () => {
  const memory = memoryStore();
  let isFull = false;
  const store: AapSessionStore = {
    ...memory,
    append(...given) {
      if (isFull) throw new Error('no space left');
      return memory.append(...given);
    },
  };
  const { create, turn } = stage(
    async (run) => {
      isFull = true;
      await run.text('lost');
    },
    { store },
  );
  const events = await turn(await create(), says('go'));
  expect(events.at(-1)?.data).toMatchObject({ stopReason: 'error', error: { code: 'store_failed' } });
});

test('a full store returns 503, and nothing is done', async () => {
  const disk = failingStore();
  let runs = 0;
  const { create, send, history } = stage(
    async () => {
      runs += 1;
    },
    { store: disk.store },
  );
  const sessionId = await create();
  disk.isFull = true;
  for (const [path, body] of [
    ['/sessions', { agent: { name: 'tester' } }],
    [`/sessions/${sessionId}/turns`, says('go')],
  ] as const) {
    const response = await send('POST', path, body);
    expect(response.status).toBe(503);
    expect(await json(response)).toMatchObject({ code: 'store_failed' });
  }
  disk.isFull = false;
  expect(runs).toBe(0);
  expect(await history(sessionId)).toEqual([]);
  expect((await send('POST', `/sessions/${sessionId}/turns`, says('go'))).status).toBe(200);
});

test('a turn that starts while a failed run still ends does not hang', async () => {
  const disk = failingStore();
  let endFirst = (): void => {};
  const firstEnded = new Promise<void>((resolve) => {
    endFirst = resolve;
  });
  let runs = 0;
  const { create, turn, send } = stage(
    async (run) => {
      runs += 1;
      if (runs > 1) return run.text('again');
      disk.isFull = true;
      await run.text('lost');
      // An agent that takes its time.
      await firstEnded;
    },
    { store: disk.store },
  );
  const sessionId = await create();
  const events = await turn(sessionId, says('go'));
  expect(events.at(-1)?.data).toMatchObject({ error: { code: 'store_failed' } });

  const refused = send('POST', `/sessions/${sessionId}/turns`, says('at once'));
  await send('GET', `/sessions/${sessionId}`);
  endFirst();
  expect((await refused).status).toBe(503);
  disk.isFull = false;
  expect(inShort(await turn(sessionId, says('again')))).toContain('text_delta again');
});

test('while nothing can be stored, stored data can be read, with the store failure', async () => {
  const disk = failingStore();
  const { create, turn, history, send } = stage(
    async (run) => {
      await run.text('kept ');
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      disk.isFull = true;
      await run.text('lost');
    },
    { store: disk.store },
  );
  const sessionId = await create();
  await turn(sessionId, says('go'));

  for (const _round of [1, 2]) {
    expect(await json(await send('GET', `/sessions/${sessionId}`))).toMatchObject({ status: 'idle' });
    expect(await json(await send('GET', '/sessions'))).toMatchObject({ sessions: [{ status: 'idle' }] });
    expect(await history(sessionId)).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [{ text: 'kept ' }] },
    ]);
    const { turns } = (await json(await send('GET', `/sessions/${sessionId}/turns`))) as {
      turns: readonly { turnId: string }[];
    };
    expect(turns).toMatchObject([{ stopReason: 'error', error: { code: 'store_failed' } }]);
    const path = `/sessions/${sessionId}/turns/${turns[0]?.turnId ?? ''}/events`;
    expect(inShort(await eventsOf(await send('GET', path))).at(-1)).toContain('turn_stop error');
    // Then with room: what was owed is stored with the next request that needs it.
    disk.isFull = false;
  }
});

test('a turn that was open when the server ended can be read on a full disk', async () => {
  const disk = failingStore();
  const first = stage(() => new Promise(() => undefined), { store: disk.store });
  const sessionId = await first.create();
  const response = await first.send('POST', `/sessions/${sessionId}/turns`, {
    ...says('go'),
    stream: 'delta',
  });
  await readUntil(response, 'turn_start');
  disk.isFull = true;
  const second = stage(async () => undefined, { store: disk.store });
  expect(await json(await second.send('GET', `/sessions/${sessionId}/turns`))).toMatchObject({
    turns: [{ stopReason: 'error', error: { code: 'interrupted' }, detail: 'interrupted' }],
  });
  expect((await second.send('POST', `/sessions/${sessionId}/turns`, says('again'))).status).toBe(503);
  disk.isFull = false;
  expect(inShort(await second.turn(sessionId, says('again'))).at(-1)).toBe('turn_stop end_turn');
  const third = stage(async () => undefined, { store: disk.store });
  expect(await json(await third.send('GET', `/sessions/${sessionId}/turns`))).toMatchObject({
    turns: [{ error: { code: 'interrupted' } }, { stopReason: 'end_turn' }],
  });
});

test('a store that fails while calls wait rejects answers, and the calls stay', async () => {
  const disk = failingStore();
  const { create, turn, send } = stage(
    async (run) => {
      if (run.input.role === 'answers') return run.text('again');
      const { granted } = await run.permission({ toolCallId: 'c1', name: 'read', input: {} });
      await run.text(`must not be seen: ${String(granted)}`);
    },
    { store: disk.store },
  );
  const sessionId = await create();
  await turn(sessionId, says('go'));
  disk.isFull = true;
  const body = { messages: [{ role: 'tool_permission', toolCallId: 'c1', granted: true }] };
  expect((await send('POST', `/sessions/${sessionId}/turns`, body)).status).toBe(503);
  disk.isFull = false;
  await expect.poll(async () => (await send('GET', `/sessions/${sessionId}`)).status).toBe(200);
  expect(await json(await send('GET', `/sessions/${sessionId}`))).toMatchObject({ status: 'waiting' });
  expect(inShort(await turn(sessionId, body))).toContain('text_delta again');
});

test('an unreadable store is a server error, without details in the response', async () => {
  const store: AapSessionStore = {
    ...memoryStore(),
    head: () => ({ createdAt: '2026-01-01T00:00:00.000Z' }),
    read: () => Promise.reject(new Error('secret path')),
  };
  const { send } = stage(async () => undefined, { store });
  const response = await send('GET', '/sessions/AAAAAAAAAAAAAAAAAAAAAA');
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain('secret path');
});

test('a store that could not be listed once can be listed later', async () => {
  const memory = memoryStore();
  let isBroken = true;
  const store: AapSessionStore = {
    ...memory,
    list() {
      if (isBroken) throw new Error('no');
      return memory.list();
    },
  };
  const { send } = stage(async () => undefined, { store });
  const key = { 'idempotency-key': 'k' };
  expect((await send('GET', '/sessions')).status).toBe(500);
  expect((await send('POST', '/sessions', { agent: { name: 'tester' } }, key)).status).toBe(500);
  isBroken = false;
  expect((await send('GET', '/sessions')).status).toBe(200);
  expect((await send('POST', '/sessions', { agent: { name: 'tester' } }, key)).status).toBe(201);
});

test('unused sessions are unloaded, and reloaded unchanged', async () => {
  const memory = memoryStore();
  const reads: string[] = [];
  const store: AapSessionStore = {
    ...memory,
    read: (sessionId, take) => {
      reads.push(sessionId);
      return memory.read(sessionId, take);
    },
  };
  const { create, turn, history } = stage(async (run) => run.text('hi'), {
    store,
    limits: { loadedSessions: 2 },
  });
  const ids = [await create(), await create(), await create()];
  const [first = ''] = ids;
  expect(reads).toEqual([]);
  await turn(first, says('go'));
  expect(reads).toEqual([first]);
  expect(await history(first)).toHaveLength(2);
  expect(reads).toEqual([first]);
});

test('a session with a run stays in memory', async () => {
  const { create, turn } = stage(
    async (run) => {
      await run.permission({ toolCallId: 'c1', name: 'read', input: {} });
      await run.text(run.input.role);
    },
    { limits: { loadedSessions: 1 } },
  );
  const sessionId = await create();
  await turn(sessionId, says('go'));
  await create();
  await create();
  const body = { messages: [{ role: 'tool_permission', toolCallId: 'c1', granted: false }] };
  expect(inShort(await turn(sessionId, body))).toContain('text_delta user');
});

test('sessions of an agent that is no longer served stay readable', async () => {
  const store = memoryStore();
  const { create } = stage(async () => undefined, { store });
  const sessionId = await create();
  const { send } = stageOf([], { store });
  expect((await send('GET', `/sessions/${sessionId}`)).status).toBe(200);
  const response = await send('POST', `/sessions/${sessionId}/turns`, says('go'));
  expect(response.status).toBe(409);
  expect(await json(response)).toMatchObject({ code: 'agent_gone' });
  expect((await send('DELETE', `/sessions/${sessionId}`)).status).toBe(204);
});

test('a server that shuts down starts no turn, waits for running turns, then ends them', async () => {
  let finish: () => void = () => undefined;
  const clock = fakeClock();
  const { server, create, send } = stage(
    async (run) => {
      await run.text('working');
      await new Promise<void>((resolve) => {
        if (run.history.length === 0) finish = resolve;
        run.signal.addEventListener('abort', () => resolve());
      });
    },
    { clock },
  );
  const quick = await create();
  const slow = await create({ messages: [{ role: 'system', content: 'Be slow.' }] });
  const start = (sessionId: string) =>
    send('POST', `/sessions/${sessionId}/turns`, { ...says('go'), stream: 'delta' });
  const streams = [await start(quick), await start(slow)];
  const closed = server.close({ graceMs: 20 });
  const late = await start(await json(await send('GET', '/sessions')).then(() => quick));
  expect(late.status).toBe(503);
  expect(await json(late)).toMatchObject({ code: 'shutting_down' });
  expect((await send('POST', '/sessions', { agent: { name: 'tester' } })).status).toBe(503);
  finish();
  const [first, second] = streams.map((each) => eventsOf(each));
  await first;
  await clock.advance(20);
  await closed;
  expect((await first)?.at(-1)?.data).toEqual({ stopReason: 'end_turn' });
  expect((await second)?.at(-1)?.data).toMatchObject({ stopReason: 'error', detail: 'shutdown' });
  expect(await server.status()).toEqual({ openStreams: 0, runningTurns: 0, waitingCalls: [] });
});

test('calls that wait when a server ends still wait after its restart', async () => {
  const store = memoryStore();
  const run = async (each: Parameters<Parameters<typeof stage>[0]>[0]): Promise<void> => {
    if (each.input.role === 'answers') return each.text('again');
    await each.permission({ toolCallId: 'c1', name: 'read', input: {} });
    return each.text('unheard');
  };
  const first = stage(run, { store });
  const sessionId = await first.create();
  await first.turn(sessionId, says('go'));
  expect((await first.server.status()).waitingCalls).toMatchObject([{ sessionId, toolCallId: 'c1' }]);
  await first.server.close();
  const second = stage(run, { store });
  const body = { messages: [{ role: 'tool_permission', toolCallId: 'c1', granted: false }] };
  expect(inShort(await second.turn(sessionId, body))).toContain('text_delta again');
});

test('observers are notified of events, and a failing observer breaks nothing', async () => {
  const seen: unknown[] = [];
  const { create, turn, server } = stage(async (run) => run.text('hi'), {
    onEvent: (event) => {
      seen.push(event);
      throw new Error('the meter is broken');
    },
  });
  const sessionId = await create();
  const [start] = await turn(sessionId, says('go'));
  const of = { sessionId, turnId: start?.data['turnId'], agent: everything.name };
  expect(seen).toEqual([
    { type: 'turn-start', ...of },
    { type: 'first-event', ...of, ms: expect.any(Number) },
    { type: 'turn-stop', ...of, stopReason: 'end_turn', ms: expect.any(Number) },
  ]);
  expect(await server.status()).toEqual({ openStreams: 0, runningTurns: 0, waitingCalls: [] });
});

test('a session that another process takes while its turn is being stored begins no run', async () => {
  const memory = memoryStore();
  let store = (): void => {};
  let onStoring = (): void => {};
  const storing = new Promise<void>((resolve) => (onStoring = resolve));
  const stored = new Promise<void>((resolve) => (store = resolve));
  let runs = 0;
  const { server, create, send } = stage(
    async () => {
      runs += 1;
    },
    {
      store: {
        ...memory,
        async append(...given) {
          if (JSON.stringify(given[1]).includes('turn-start')) {
            onStoring();
            await stored;
          }
          await memory.append(...given);
        },
      },
    },
  );
  const sessionId = await create();
  const refused = send('POST', `/sessions/${sessionId}/turns`, says('go'));
  await storing;

  server.forget(sessionId);
  // It is known to be forgotten before the store answers.
  await new Promise((resolve) => setImmediate(resolve));
  store();

  expect((await refused).status).toBe(503);
  expect(runs).toBe(0);
  const turns = await json(await send('GET', `/sessions/${sessionId}/turns`));
  expect(turns).toMatchObject({ turns: [{ status: 'stopped', stopReason: 'error' }] });
});
