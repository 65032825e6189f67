import { connect } from 'node:net';
import path from 'node:path';
import { memoryStore } from '@parley/aap/server';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openAapStore } from '../../src/index.ts';
import { bridge } from '../bridge.ts';
import { folder, type ScriptedAgentOptions } from '../scripted-agent.ts';
import { serve, type Served } from './serve.ts';

async function serveScript(script: ScriptedAgentOptions): Promise<Served> {
  const { agent } = await bridge(script);
  const store = await openAapStore(path.join(await folder(), 'store'));
  onTestFinished(() => store.close());
  const served = await serve(agent, store);
  onTestFinished(() => served[Symbol.asyncDispose]());
  return served;
}

const hello = { messages: [{ role: 'user', content: 'hello' }] } as const;
const name = 'scripted';

/** Something that a test lets happen when it likes. */
function gate(): { readonly opened: Promise<void>; open: () => void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

test('a client that disconnects loses nothing: the turn continues, and is replayed', async () => {
  const { opened, open } = gate();
  const { client } = await serveScript({
    turn: async ({ say }) => {
      await say('before ');
      await opened;
      await say('after');
    },
  });
  const { sessionId } = await client.createSession({ agent: { name } });
  const stream = await client.streamTurn(sessionId, { ...hello, stream: 'delta' });
  for await (const event of stream) if (event.event === 'text_delta') break;
  const turnId = stream.turnId ?? '';
  expect(await client.getTurn(sessionId, turnId)).toMatchObject({ status: 'running' });

  open();
  const again = await client.followTurn(sessionId, turnId, {
    ...(stream.lastEventId !== undefined && { lastEventId: stream.lastEventId }),
  });
  const events: string[] = [];
  for await (const event of again) events.push('delta' in event ? event.delta : event.event);

  expect(events).toEqual(['after', 'turn_stop']);
  expect(await client.getHistory(sessionId, 'full')).toEqual([
    { role: 'user', content: 'hello' },
    { role: 'assistant', content: [{ type: 'text', text: 'before after' }] },
  ]);
});

test('a client that does not read delays no turn, and gets everything later', async () => {
  const pieces = 400;
  const piece = 'x'.repeat(64 * 1024);
  const { client, url, token } = await serveScript({
    turn: async ({ say, text }) => {
      for (let count = 0; count < (text === 'hello' ? 1 : pieces); count += 1) await say(piece);
    },
  });
  const { sessionId } = await client.createSession({ agent: { name } });
  const { hostname, port, pathname } = new URL(`${url}/sessions/${sessionId}/turns`);
  const body = JSON.stringify({ messages: [{ role: 'user', content: 'flood' }], stream: 'delta' });
  const socket = connect({ host: hostname, port: Number(port) });
  onTestFinished(() => void socket.destroy());
  socket.pause();
  socket.write(
    `POST ${pathname} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${String(body.length)}\r\n\r\n${body}`,
  );

  await vi.waitFor(
    async () => expect(await client.getTurns(sessionId)).toMatchObject([{ status: 'stopped' }]),
    { timeout: 120_000 },
  );
  const other = await client.createSession({ agent: { name } });
  const answer = await client.postTurn(other.sessionId, hello);

  expect(answer.stopReason).toBe('end_turn');
  const [turn] = await client.getTurns(sessionId);
  expect(turn).toMatchObject({ stopReason: 'end_turn' });
  // What it did not read is on the disk, and comes when it does.
  let received = 0;
  let tail = '';
  socket.on('data', (chunk) => {
    received += chunk.length;
    tail = (tail + chunk.toString('latin1')).slice(-200);
  });
  socket.resume();
  await vi.waitFor(() => expect(tail).toContain('event: turn_stop'), { timeout: 120_000 });
  expect(received).toBeGreaterThan(pieces * piece.length);
});

test('a second concurrent turn is rejected, and the first continues', async () => {
  const { opened, open } = gate();
  const { client } = await serveScript({
    turn: async ({ say }) => {
      await say('one');
      await opened;
    },
  });
  const { sessionId } = await client.createSession({ agent: { name } });
  const stream = await client.streamTurn(sessionId, { ...hello, stream: 'delta' });
  const events: string[] = [];
  for await (const event of stream) {
    events.push(event.event);
    if (event.event !== 'text_delta') continue;
    await expect(client.postTurn(sessionId, hello)).rejects.toMatchObject({
      status: 409,
      code: 'turn_in_progress',
    });
    open();
  }

  expect(events).toEqual(['turn_start', 'text_delta', 'turn_stop']);
  expect((await client.postTurn(sessionId, hello)).stopReason).toBe('end_turn');
});

test('a crash during a turn is reported once, and the next turn works', async () => {
  let turns = 0;
  const { client } = await serveScript({
    turn: async ({ say, die }) => {
      turns += 1;
      await say('half');
      if (turns === 1) await die();
    },
  });
  const { sessionId } = await client.createSession({ agent: { name } });
  const stream = await client.streamTurn(sessionId, { ...hello, stream: 'delta' });
  const events: unknown[] = [];
  for await (const event of stream) events.push(event);

  expect(events).toMatchObject([
    { event: 'turn_start' },
    { event: 'text_delta', delta: 'half' },
    { event: 'turn_stop', stopReason: 'error', error: { code: expect.any(String) } },
  ]);
  expect((await client.postTurn(sessionId, hello)).stopReason).toBe('end_turn');
});

test('a store failure in one session ends its turn, and others continue', async () => {
  const { agent } = await bridge({ turn: ({ say }) => say('said') });
  const store = memoryStore();
  let failing = '';
  const served = await serve(agent, {
    ...store,
    append: (sessionId, records, options) => {
      if (sessionId === failing) return Promise.reject(new Error('no space left on the device'));
      return store.append(sessionId, records, options);
    },
  });
  onTestFinished(() => served[Symbol.asyncDispose]());
  const { client } = served;
  const [bad, good] = [
    await client.createSession({ agent: { name } }),
    await client.createSession({ agent: { name } }),
  ];

  failing = bad.sessionId;
  await expect(client.postTurn(bad.sessionId, hello)).rejects.toMatchObject({ status: expect.any(Number) });
  expect((await client.postTurn(good.sessionId, hello)).stopReason).toBe('end_turn');
  failing = '';
  expect((await client.postTurn(bad.sessionId, hello)).stopReason).toBe('end_turn');
  expect(await client.getHistory(bad.sessionId, 'full')).toHaveLength(2);
});
