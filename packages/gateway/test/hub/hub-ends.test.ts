import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { invalidRequest } from '@parley/acp';
import { filesStore, SharedEventLogs } from '@parley/host';
import { hubMethods } from '@parley/host/hub';
import { connect, memoryPair } from '@parley/wire';
import { expect, test } from 'vitest';
import { Hub } from '../../src/hub/create-hub.ts';
import { createGate, openHub } from './hub-stage.ts';

test('a closing hub waits for running turns, and starts none', async () => {
  const gate = createGate();
  const stage = await openHub({
    agent: {
      turn: async ({ say }) => {
        await say('begun ');
        await gate.passed;
        await say('done');
      },
    },
  });
  const ada = await stage.join();
  const idle = await ada.start();
  const key = await ada.start();
  const answered = ada.prompt(key, 'go');
  await ada.until(() => ada.said(key) === 'begun ');

  const closed = stage.hub.close({ graceMs: 60_000 });
  const ending = { code: -32600, message: 'the server is ending' };
  await expect(ada.prompt(idle, 'more')).rejects.toMatchObject(ending);
  await expect(ada.start()).rejects.toMatchObject(ending);
  gate.open();

  expect(await answered).toEqual({ stopReason: 'end_turn' });
  await closed;
  expect(stage.requests.filter((method) => method === 'session/prompt')).toHaveLength(1);
  expect(stage.faults).toEqual([]);
});

test('prompts queued when a hub ends are queued in the next one, and are sent on request', async () => {
  const stage = await openHub({
    agent: {
      turn: async ({ say, signal }) => {
        await say('begun');
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      },
    },
  });
  const ada = await stage.join();
  const key = await ada.start();
  void ada.prompt(key, 'long').catch(() => undefined);
  await ada.until(() => ada.said(key) === 'begun');
  void ada.prompt(key, 'later').catch(() => undefined);
  await ada.until(() => ada.sessions.get(key)?.queue.length === 1);
  await stage.hub.close();

  const next = await openHub({
    workspaces: [stage.workspace],
    eventLogs: new SharedEventLogs({ store: filesStore(stage.eventLogs), program: 'test 2' }),
  });
  const bob = await next.join('bob');
  await bob.resume(key);
  await bob.until(() => bob.sessions.get(key)?.state === 'ready');
  expect(bob.sessions.get(key)).toMatchObject({
    isQueueHeld: true,
    queue: [{ blocks: [{ text: 'later' }] }],
  });
  expect(next.prompts).toEqual([]);
  await bob.ask(hubMethods.queue, { sessionId: key, change: { kind: 'go-on' } });
  await bob.until(() => bob.sessions.get(key)?.queue.length === 0);
  await expect.poll(() => next.prompts).toMatchObject([{ prompt: [{ text: 'later' }] }]);
});

test('a client that disconnects while its state is read receives nothing more', async () => {
  const { hub } = await openHub();
  const table = Hub.sessionsOf(hub);
  let listening = 0;
  const listen = table.listen.bind(table);
  table.listen = (listener) => {
    listening += 1;
    const end = listen(listener);
    let isOver = false;
    return () => {
      if (!isOver) listening -= 1;
      isOver = true;
      end();
    };
  };
  const gate = createGate();
  const looked = createGate();
  table.look = () => {
    looked.open();
    return gate.passed;
  };
  const [near, far] = memoryPair();
  const gone = hub.connect(far, { principal: { id: 'token:ada', name: 'ada', scope: 'admin' } });
  const client = connect(near, {});
  await client.request('initialize', { protocolVersion: 1 });
  const asked = client.request(hubMethods.attend, {}).catch(() => undefined);
  await looked.passed;
  await client.close();
  await asked;
  gate.open();
  await gone;
  await new Promise((resolve) => setImmediate(resolve));

  expect(listening).toBe(0);
});

test('frames that cannot be stored do not stop a session', async () => {
  const options = { agent: { capabilities: { sessionCapabilities: { resume: {} } } } };
  const first = await openHub(options);
  const key = await (await first.join()).start();
  await first.hub.close();
  // Not a file, as a damaged disk or a user may leave it.
  await mkdir(join(first.eventLogs, key, 'frames.1.jsonl'));

  const second = await openHub({
    ...options,
    workspaces: [first.workspace],
    eventLogs: new SharedEventLogs({ store: filesStore(first.eventLogs), program: 'test' }),
  });
  const bob = await second.join();
  await bob.resume(key);

  expect(await bob.prompt(key, 'go')).toEqual({ stopReason: 'end_turn' });
  expect(second.faults).toHaveLength(1);
});

test('frames of a session whose agent has ended are read from the disk', async () => {
  const stage = await openHub({ agent: { turn: ({ say }) => say('hello') } });
  const ada = await stage.join();
  const key = await ada.start();
  await ada.prompt(key, 'go');
  const log = await Hub.sessionsOf(stage.hub).framesOf(key);
  expect(log.firstHeld).toBe(1);

  await ada.ask('session/close', { sessionId: key });

  expect(log.after(0)).toBeUndefined();
  await ada.ask(hubMethods.watchFrames, { sessionId: key });
  await ada.until(() => ada.frames.length >= log.firstHeld - 1);
  expect(ada.frames.map(({ seq }) => seq)).toEqual(ada.frames.map((_frame, index) => index + 1));
});

test('a session whose agent refuses to delete it is closed, and can be deleted later', async () => {
  const stage = await openHub({
    agent: {
      capabilities: { sessionCapabilities: { delete: {} } },
      onRequest: (method) => {
        if (method === 'session/delete') throw invalidRequest('it is mine');
      },
    },
  });
  const ada = await stage.join();
  const key = await ada.start();

  await expect(ada.ask('session/delete', { sessionId: key })).rejects.toThrow('it is mine');
  await ada.until(() => ada.sessions.get(key)?.state === 'kept');
  await ada.ask('session/delete', { sessionId: key });

  await ada.until(() => !ada.sessions.has(key));
});

test('a session whose agent crashes while it deletes the session is deleted', async () => {
  let crash = async (): Promise<unknown> => undefined;
  const stage = await openHub({
    agent: {
      capabilities: { sessionCapabilities: { delete: {} } },
      turn: ({ die }) => {
        crash = die;
      },
      onRequest: (method) => {
        if (method === 'session/delete') void crash();
      },
    },
  });
  const ada = await stage.join();
  const key = await ada.start();
  await ada.prompt(key, 'hello');

  expect(await ada.ask('session/delete', { sessionId: key })).toEqual({});

  await ada.until(() => !ada.sessions.has(key));
});

test('a client learns that the agent ended during a request of an extension', async () => {
  let crash = async (): Promise<unknown> => undefined;
  const stage = await openHub({
    agent: {
      turn: ({ die }) => {
        crash = die;
      },
      unstable: { '_acme/wait': () => crash() },
    },
  });
  const ada = await stage.join();
  const key = await ada.start();
  await ada.prompt(key, 'hello');

  await expect(ada.ask('_acme/wait', { sessionId: key })).rejects.toMatchObject({
    code: -32603,
    message: expect.stringContaining('_acme/wait: the connection is closed'),
    data: { code: 'closed' },
  });
});

test('a request that the system refuses names the reason, and the next one works', async () => {
  const stage = await openHub();
  const ada = await stage.join();
  const table = Hub.sessionsOf(stage.hub);
  const begin = table.begin.bind(table);
  const refusal = new Error("EMFILE: too many open files, open '/sessions/a'");
  table.begin = () => Promise.reject(Object.assign(refusal, { code: 'EMFILE', syscall: 'open' }));

  await expect(ada.start()).rejects.toMatchObject({
    code: -32603,
    message: expect.stringMatching(/session\/new: EMFILE: too many open files$/u),
  });

  table.begin = begin;
  await ada.start();
});
