import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { authRequired, type AuthMethod } from '@parley/acp';
import { createLimitedPool, filesStore, unlimitedPool, type AgentSpec, SharedEventLogs } from '@parley/host';
import { agentMethods, hubMethods, type HubSession } from '@parley/host/hub';
import { entries, values } from '@parley/host/state';
import { connect, memoryPair, RpcError } from '@parley/wire';
import { expect, test } from 'vitest';
import { folder, yesOrNo, type ScriptedAgentOptions, type ScriptedTurn } from '../scripted-agent.ts';
import { createGate, openHub } from './hub-stage.ts';

/** Asks for permission, and says what it was answered. */
async function asking({ client, request, say }: ScriptedTurn, toolCallId = 'call-1'): Promise<void> {
  const { outcome } = await client.request('session/request_permission', {
    sessionId: request.sessionId,
    toolCall: { toolCallId, title: 'run it', kind: 'execute', rawInput: { command: `make ${toolCallId}` } },
    options: [...yesOrNo],
  });
  await say(`${toolCallId}: ${outcome.outcome === 'selected' ? outcome.optionId : outcome.outcome}; `);
}

test('a session starts, a prompt is answered, and everything arrives as events', async () => {
  const stage = await openHub({ agent: { turn: ({ say, text }) => say(`you said ${text}`) } });
  const ada = await stage.join();
  const key = await ada.start();

  expect(await ada.prompt(key, 'hello')).toEqual({ stopReason: 'end_turn' });

  await ada.until(() => ada.view(key).turns.length === 1 && ada.view(key).phase === 'ready');
  expect(ada.said(key)).toBe('you said hello');
  await ada.until(() => ada.sessions.get(key)?.title === 'hello');
  expect(ada.sessions.get(key)).toMatchObject({
    agent: 'scripted',
    cwd: stage.workspace,
    state: 'ready',
    queue: [],
  });
});

test('two clients see one session, each event once and in order, and who answered a question', async () => {
  const stage = await openHub({ agent: { turn: (turn) => asking(turn) } });
  const ada = await stage.join('ada');
  const key = await ada.start();
  const bob = await stage.join('bob');
  await bob.watch(key);

  const answered = ada.prompt(key, 'go');
  const { requestId, why, because, remember, request } = await bob.question('permission');
  expect(why).toBe('the approval level "ask" does not cover execute');
  expect(because).toEqual({ code: 'level', level: 'ask', kind: 'execute' });
  expect(remember?.about).toEqual([{ tool: 'execute', commandPrefix: 'make call-1', agent: 'scripted' }]);
  expect(request.toolCall.rawInput).toEqual({ command: 'make call-1' });
  await bob.ask(hubMethods.answer, {
    sessionId: key,
    requestId,
    answer: { kind: 'option', optionId: 'no', reason: 'too slow' },
  });
  await expect(
    ada.ask(hubMethods.answer, { sessionId: key, requestId, answer: { kind: 'option', optionId: 'yes' } }),
  ).rejects.toMatchObject({ code: -32002 });
  await answered;

  for (const client of [ada, bob]) {
    await client.until(() => client.view(key).phase === 'ready' && client.view(key).turns.length === 1);
    const call = [...values(client.view(key).items)].find((item) => item.kind === 'tool-call');
    expect(call?.permission?.answer).toEqual({
      decision: 'no',
      by: 'person',
      person: 'bob',
      reason: 'answered "No": too slow',
      because: { code: 'answered', words: 'too slow' },
    });
    const seqs = client.seqs.get(key) ?? [];
    expect(seqs).toEqual(seqs.map((_seq, index) => index + 1));
    await client.until(() => client.questions.length === 0);
    expect(client.settled).toEqual([{ key, requestId, person: 'bob', outcome: 'No' }]);
  }
});

test('two questions at once are answered by two clients', async () => {
  const stage = await openHub({
    agent: {
      turn: async (turn) => {
        await Promise.all([asking(turn, 'one'), asking(turn, 'two')]);
      },
    },
  });
  const ada = await stage.join('ada');
  const bob = await stage.join('bob');
  const key = await ada.start();
  const answered = ada.prompt(key, 'go');
  await bob.until(() => bob.questions.length === 2);
  const [one, two] = bob.questions;
  const answer = { kind: 'option', optionId: 'yes' };
  await Promise.all([
    ada.ask(hubMethods.answer, { sessionId: key, requestId: one?.requestId, answer }),
    bob.ask(hubMethods.answer, { sessionId: key, requestId: two?.requestId, answer }),
  ]);
  await answered;
  await ada.until(() => ada.view(key).phase === 'ready' && ada.view(key).turns.length === 1);
  expect(ada.said(key).split('; ').toSorted()).toEqual(['', 'one: yes', 'two: yes']);
});

test('a question is withdrawn with its turn', async () => {
  const stage = await openHub({ agent: { turn: (turn) => asking(turn, 'one') } });
  const ada = await stage.join();
  const key = await ada.start();
  const answered = ada.prompt(key, 'go');
  await ada.question('permission');
  expect(ada.questions).toMatchObject([{ request: { toolCall: { toolCallId: 'one' } } }]);
  await ada.ask(hubMethods.cancel, { sessionId: key });
  expect(await answered).toEqual({ stopReason: 'cancelled' });
  await ada.until(() => ada.questions.length === 0);
});

test('a question beyond the limit is rejected, and its turn continues', async () => {
  const stage = await openHub({
    agent: { turn: async (turn) => void (await Promise.all([asking(turn, 'one'), asking(turn, 'two')])) },
    limits: { questions: 1 },
  });
  const ada = await stage.join();
  const key = await ada.start();
  const answered = ada.prompt(key, 'go');
  await ada.until(() => ada.said(key) === 'two: no; ');
  expect(ada.questions).toMatchObject([{ request: { toolCall: { toolCallId: 'one' } } }]);
  await ada.ask(hubMethods.cancel, { sessionId: key });
  expect(await answered).toEqual({ stopReason: 'cancelled' });
});

test('an answer that was not offered is rejected, and the question stays open', async () => {
  const stage = await openHub({
    agent: {
      turn: async ({ say, client, request: { sessionId } }) => {
        const toolCall = { toolCallId: 'edit', kind: 'edit', locations: [{ path: '/tmp/a' }] } as const;
        const asked = { sessionId, toolCall, options: [...yesOrNo] };
        const { outcome } = await client.request('session/request_permission', asked);
        await say(outcome.outcome === 'selected' ? outcome.optionId : outcome.outcome);
      },
    },
  });
  const ada = await stage.join();
  const key = await ada.start();
  const answered = ada.prompt(key, 'go');
  const { requestId } = await ada.question('permission');
  const answer = (given: object): Promise<unknown> =>
    ada.ask(hubMethods.answer, { sessionId: key, requestId, answer: given });
  for (const wrong of [
    { kind: 'option', optionId: 'perhaps' },
    { kind: 'remember', scope: 'user', decision: 'allow' },
    { kind: 'form', action: 'decline' },
  ]) {
    await expect(answer(wrong)).rejects.toMatchObject({ code: -32602 });
  }
  expect(ada.questions).toHaveLength(1);
  await answer({ kind: 'option', optionId: 'no' });
  await answered;
  await ada.until(() => ada.said(key) === 'no');
});

test('a request that was settled some time ago is reported with its answer, without the reason', async () => {
  const stage = await openHub({ agent: { turn: (turn) => asking(turn) } });
  const ada = await stage.join();
  const key = await ada.start();
  const answered = ada.prompt(key, 'go');
  const { requestId } = await ada.question('permission');

  const answer = { kind: 'remember', decision: 'deny', scope: 'turn' };
  await ada.ask(hubMethods.answer, { sessionId: key, requestId, answer: { ...answer, reason: 'mine' } });
  await answered;

  await ada.until(() => ada.settled.length > 0);
  expect(ada.settled).toEqual([{ key, requestId, person: 'ada', outcome: 'deny for this turn', answer }]);
});

test('a client that disconnects ends nothing, and receives everything when it reconnects', async () => {
  const gate = createGate();
  const stage = await openHub({
    agent: {
      turn: async ({ say }) => {
        await say('before ');
        await gate.passed;
        await say('after');
      },
    },
  });
  const ada = await stage.join('ada');
  const key = await ada.start();
  void ada.prompt(key, 'go').catch(() => undefined);
  await ada.until(() => ada.said(key) === 'before ');
  await ada.close();

  const again = await stage.join('ada');
  await again.watch(key);
  await again.until(() => again.isCaughtUp(key));
  expect(again.view(key).phase).toBe('running');
  gate.open();
  await again.until(() => again.view(key).phase === 'ready');
  expect(again.said(key)).toBe('before after');
});

test('prompts are queued during a turn, can be edited, and are paused when the turn is cancelled', async () => {
  const stage = await openHub({
    agent: {
      turn: async ({ say, text, signal }) => {
        await say(`<${text}>`);
        if (text !== 'long') return;
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      },
    },
  });
  const ada = await stage.join();
  const key = await ada.start();
  const long = ada.prompt(key, 'long');
  await ada.until(() => ada.said(key) === '<long>');
  const [two, three, four] = [ada.prompt(key, 'two'), ada.prompt(key, 'three'), ada.prompt(key, 'four')];
  await ada.until(() => ada.sessions.get(key)?.queue.length === 3);
  const ids = (ada.sessions.get(key)?.queue ?? []).map(({ id }) => id);
  const change = (fields: object): Promise<unknown> =>
    ada.ask(hubMethods.queue, { sessionId: key, change: fields });
  await change({ kind: 'move', id: ids[2], to: 0 });
  await change({ kind: 'edit', id: ids[0], blocks: [{ type: 'text', text: 'TWO' }] });
  await change({ kind: 'remove', id: ids[1] });
  await expect(change({ kind: 'remove', id: ids[1] })).rejects.toMatchObject({ code: -32002 });
  expect(await three).toEqual({ stopReason: 'cancelled' });

  await ada.ask(hubMethods.cancel, { sessionId: key });
  expect(await long).toEqual({ stopReason: 'cancelled' });
  await ada.until(() => ada.sessions.get(key)?.isQueueHeld === true);
  expect(ada.said(key)).toBe('<long>');

  await change({ kind: 'go-on' });
  expect(await two).toEqual({ stopReason: 'end_turn' });
  expect(await four).toEqual({ stopReason: 'end_turn' });
  await ada.until(() => ada.said(key).length >= '<long><four><TWO>'.length);
  expect(ada.said(key)).toBe('<long><four><TWO>');
});

test('"Send now" cancels the turn and sends one prompt, and the others stay queued', async () => {
  const stage = await openHub({
    agent: {
      turn: async ({ say, text, signal }) => {
        await say(`<${text}>`);
        if (!text.startsWith('long')) return;
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      },
    },
  });
  const ada = await stage.join();
  const key = await ada.start();
  const change = (fields: object): Promise<unknown> =>
    ada.ask(hubMethods.queue, { sessionId: key, change: fields });
  const long = ada.prompt(key, 'long');
  await ada.until(() => ada.said(key) === '<long>');
  const [two, three, four] = [ada.prompt(key, 'two'), ada.prompt(key, 'long three'), ada.prompt(key, 'four')];
  await ada.until(() => ada.sessions.get(key)?.queue.length === 3);
  const [, third] = ada.sessions.get(key)?.queue ?? [];

  await change({ kind: 'send-now', id: third?.id });
  expect(await long).toEqual({ stopReason: 'cancelled' });
  await ada.until(() => ada.said(key) === '<long><long three>');
  expect(ada.sessions.get(key)).not.toHaveProperty('isQueueHeld');

  await ada.ask(hubMethods.cancel, { sessionId: key });
  expect(await three).toEqual({ stopReason: 'cancelled' });
  await ada.until(() => ada.sessions.get(key)?.isQueueHeld === true);
  const fourth = ada.sessions.get(key)?.queue.at(-1);
  await change({ kind: 'send-now', id: fourth?.id });
  expect(await four).toEqual({ stopReason: 'end_turn' });
  await ada.until(() => ada.said(key).endsWith('<four>'));
  expect(ada.sessions.get(key)).toMatchObject({ isQueueHeld: true, queue: [{ blocks: [{ text: 'two' }] }] });

  await change({ kind: 'go-on' });
  expect(await two).toEqual({ stopReason: 'end_turn' });
  await ada.until(() => ada.said(key).endsWith('<two>'));
  expect(ada.said(key)).toBe('<long><long three><four><two>');
});

test('cancelling again during "Send now" cancels the next prompt too', async () => {
  const gate = createGate();
  const stage = await openHub({
    agent: {
      turn: async ({ say, text }) => {
        await say(`<${text}>`);
        if (text === 'deaf') await gate.passed;
      },
    },
  });
  const ada = await stage.join();
  const key = await ada.start();
  const deaf = ada.prompt(key, 'deaf');
  await ada.until(() => ada.said(key) === '<deaf>');
  const next = ada.prompt(key, 'next');
  await ada.until(() => ada.sessions.get(key)?.queue.length === 1);
  const [first] = ada.sessions.get(key)?.queue ?? [];

  await ada.ask(hubMethods.queue, { sessionId: key, change: { kind: 'send-now', id: first?.id } });
  const cancelled = ada.ask(hubMethods.cancel, { sessionId: key });
  gate.open();
  await cancelled;

  expect(await deaf).toEqual({ stopReason: 'cancelled' });
  await ada.until(() => ada.sessions.get(key)?.isQueueHeld === true);
  expect(ada.said(key)).toBe('<deaf>');
  await ada.ask(hubMethods.queue, { sessionId: key, change: { kind: 'go-on' } });
  expect(await next).toEqual({ stopReason: 'end_turn' });
});

test('a session that waits for a slot shows how many wait before it', async () => {
  const gate = createGate();
  const stage = await openHub({
    agent: { turn: () => gate.passed },
    pool: createLimitedPool({ places: 1, waiting: 2, idleMs: 60_000 }),
  });
  const ada = await stage.join();
  const key = await ada.start();
  const busy = ada.prompt(key, 'go');
  await ada.until(() => ada.sessions.get(key)?.state === 'running');
  const waiting = (behind: number): HubSession | undefined =>
    [...ada.sessions.values()].find(({ waitsBehind }) => waitsBehind === behind);

  const first = ada.start();
  await ada.until(() => waiting(0) !== undefined);
  const second = ada.start();
  await ada.until(() => waiting(1) !== undefined);
  expect(waiting(1)).toMatchObject({ state: 'starting' });

  gate.open();
  await Promise.all([busy, first, second]);
  const isOver = (): boolean =>
    [...ada.sessions.values()].every(({ waitsBehind }) => waitsBehind === undefined);
  await ada.until(isOver);
  expect(isOver()).toBe(true);
});

test('"Send now" does not wait for an agent that another prompt starts', async () => {
  const places = unlimitedPool();
  let starts = 0;
  const stage = await openHub({
    agent: {
      capabilities: { sessionCapabilities: { resume: {} } },
      turn: ({ say, text }) => say(`<${text}>`),
    },
    pool: {
      ...places,
      acquire: async (tenant, options) => {
        starts += 1;
        if (starts !== 2) return places.acquire(tenant, options);
        return new Promise((_resolve, reject) => {
          options.signal.addEventListener('abort', () => reject(new Error('aborted')));
        });
      },
    },
  });
  const ada = await stage.join();
  const key = await ada.start();
  await ada.ask('session/close', { sessionId: key });
  const one = ada.prompt(key, 'one');
  await ada.until(() => ada.sessions.get(key)?.state === 'starting');
  const two = ada.prompt(key, 'two');
  await ada.until(() => ada.sessions.get(key)?.queue.length === 1);
  const [queued] = ada.sessions.get(key)?.queue ?? [];

  await ada.ask(hubMethods.queue, { sessionId: key, change: { kind: 'send-now', id: queued?.id } });

  expect(await one).toEqual({ stopReason: 'cancelled' });
  expect(await two).toEqual({ stopReason: 'end_turn' });
  await ada.until(() => ada.said(key) !== '');
  expect(ada.said(key)).toBe('<two>');
});

test('long parts of a queued prompt are transferred once, and reach the agent after an edit', async () => {
  const gate = createGate();
  const stage = await openHub({
    agent: {
      capabilities: { promptCapabilities: { image: true, embeddedContext: true } },
      turn: async ({ say, text }) => {
        await say(`<${text}>`);
        if (text === 'long') await gate.passed;
      },
    },
  });
  const ada = await stage.join();
  const key = await ada.start();
  const long = ada.prompt(key, 'long');
  await ada.until(() => ada.said(key) === '<long>');
  const image = { type: 'image', mimeType: 'image/png', data: 'A'.repeat(200_000) };
  const file = { type: 'resource', resource: { uri: 'attachment:///a', text: 'b'.repeat(50_000) } };
  const before = ada.changesLength;
  const answered = ada.ask('session/prompt', {
    sessionId: key,
    prompt: [{ type: 'text', text: 'look' }, image, file],
  });
  await ada.until(() => ada.sessions.get(key)?.queue.length === 1);
  for (const title of ['one', 'two', 'three']) await ada.ask(hubMethods.rename, { sessionId: key, title });
  await ada.until(() => ada.sessions.get(key)?.title === 'three');

  expect(ada.changesLength - before).toBeLessThan(10_000);
  const [queued] = ada.sessions.get(key)?.queue ?? [];
  const blocks = queued?.blocks ?? [];
  expect(blocks[1]).toMatchObject({ data: '', _meta: { 'parley/held': { at: 1, length: 200_000 } } });
  const change = (kept: readonly unknown[]): Promise<unknown> =>
    ada.ask(hubMethods.queue, {
      sessionId: key,
      change: { kind: 'edit', id: queued?.id, blocks: [{ type: 'text', text: 'see' }, ...kept] },
    });
  await change(blocks.slice(2));
  await expect(change(blocks.slice(1))).rejects.toMatchObject({ code: -32600 });
  gate.open();
  await long;
  await answered;

  expect(stage.prompts.at(-1)?.prompt).toEqual([{ type: 'text', text: 'see' }, file]);
});

test('a stored session is resumed under its title and the id of its agent', async () => {
  const first = await openHub({ agent: { turn: ({ say }) => say('one') } });
  const ada = await first.join();
  const key = await ada.start();
  await ada.prompt(key, 'begin');
  await ada.ask(hubMethods.rename, { sessionId: key, title: 'My work' });
  await first.hub.close();

  const second = await openHub({
    workspaces: [first.workspace],
    eventLogs: new SharedEventLogs({ store: filesStore(first.eventLogs), program: 'test 2' }),
    agent: { capabilities: { sessionCapabilities: { resume: {} } }, turn: ({ say }) => say('two') },
  });
  const bob = await second.join('bob');
  expect(bob.sessions.get(key)).toMatchObject({ state: 'kept', title: 'My work' });
  await bob.resume(key);
  await bob.prompt(key, 'go on');
  await bob.until(() => bob.said(key) === 'onetwo');
  expect(second.requests).toEqual(['session/resume', 'session/prompt']);
  expect(bob.sessions.get(key)).toMatchObject({ state: 'ready' });
});

test('a session that its agent has lost is replaced by a new one, after a crash and after a restart', async () => {
  const agent: ScriptedAgentOptions = {
    capabilities: { loadSession: true },
    onRequest: (method) => {
      if (method === 'session/load') throw new RpcError(-32603, 'no such session');
    },
    turn: async ({ text, say, die }) => {
      if (text === 'die') await die();
      await say(`${text} `);
    },
  };
  const first = await openHub({ agent });
  const ada = await first.join();
  const key = await ada.start();
  await expect(ada.prompt(key, 'die')).rejects.toMatchObject({ data: { code: 'agent-exited' } });
  expect(await ada.prompt(key, 'one')).toEqual({ stopReason: 'end_turn' });
  expect(first.requests.slice(-3)).toEqual(['session/load', 'session/new', 'session/prompt']);
  await first.hub.close();

  const second = await openHub({
    workspaces: [first.workspace],
    eventLogs: new SharedEventLogs({ store: filesStore(first.eventLogs), program: 'test 2' }),
    agent,
  });
  const bob = await second.join('bob');
  await bob.resume(key);
  expect(await bob.prompt(key, 'two')).toEqual({ stopReason: 'end_turn' });
  expect(second.requests).toEqual(['session/load', 'session/new', 'session/prompt']);
});

test('an agent that ends is restarted, and the session continues', async () => {
  let turns = 0;
  const stage = await openHub({
    agent: {
      capabilities: { sessionCapabilities: { resume: {} } },
      turn: async ({ say, die }) => {
        turns += 1;
        await say(`turn ${String(turns)} `);
        if (turns === 1) await die();
      },
    },
  });
  const ada = await stage.join();
  const key = await ada.start();
  await expect(ada.prompt(key, 'go')).rejects.toMatchObject({ data: { code: 'agent-exited' } });
  await ada.until(() => ada.sessions.get(key)?.state === 'ready');
  expect(ada.sessions.get(key)?.restart).toBeUndefined();
  expect(await ada.prompt(key, 'again')).toEqual({ stopReason: 'end_turn' });
  await ada.until(() => ada.said(key) === 'turn 1 turn 2 ' && ada.view(key).phase === 'ready');
  const [lost] = [...values(ada.view(key).turns)];
  expect(lost?.error?.code).toBe('agent-exited');
});

test('a session whose agent exits at its start is in no list', async () => {
  const spec: AgentSpec = {
    name: 'scripted',
    reach: { by: 'command', command: process.execPath, args: ['-e', 'process.exit(3)'] },
  };
  const stage = await openHub({ agents: [{ name: 'scripted', place: 'configured', spec }] });
  const ada = await stage.join();
  const bob = await stage.join('bob');

  await expect(ada.start()).rejects.toThrow('exited with status 3');

  expect(await ada.ask('session/list', {})).toMatchObject({ sessions: [] });
  expect([...ada.sessions, ...bob.sessions]).toEqual([]);
  expect(await readdir(stage.eventLogs)).toEqual([]);
});

test('a folder outside the workspaces is rejected, and the error names both', async () => {
  const stage = await openHub();
  const ada = await stage.join();
  const elsewhere = await folder();
  await expect(ada.ask('session/new', { cwd: elsewhere, mcpServers: [] })).rejects.toThrow(
    new RegExp(`${elsewhere}.*${stage.workspace}`, 'u'),
  );
  expect(stage.requests).toEqual([]);
});

test('an observe token sees everything, and changes nothing', async () => {
  const stage = await openHub({ agent: { turn: ({ say }) => say('hello') } });
  const ada = await stage.join('ada');
  const key = await ada.start();
  await ada.prompt(key, 'go');
  const eve = await stage.join('eve', 'observe');
  await eve.watch(key);
  await eve.until(() => eve.said(key) === 'hello');
  const refused = { code: -32600 };
  await expect(eve.ask('session/new', { cwd: stage.workspace, mcpServers: [] })).rejects.toMatchObject(
    refused,
  );
  const asked = stage.requests.length;
  await eve.resume(key);
  expect(stage.requests).toHaveLength(asked);
  for (const method of [
    hubMethods.answer,
    hubMethods.queue,
    hubMethods.rename,
    hubMethods.cancel,
    hubMethods.restart,
  ]) {
    await expect(eve.ask(method, { sessionId: key })).rejects.toMatchObject(refused);
  }
});

test('an observe token cannot cancel a turn', async () => {
  const gate = createGate();
  const stage = await openHub({
    agent: {
      turn: async ({ say, signal }) => {
        await say('begun');
        await gate.passed;
        await say(signal.aborted ? ', cancelled' : ', done');
      },
    },
  });
  const ada = await stage.join('ada');
  const key = await ada.start();
  const answered = ada.prompt(key, 'go');
  await ada.until(() => ada.said(key) === 'begun');
  const eve = await stage.join('eve', 'observe');
  await eve.notify('session/cancel', { sessionId: key });
  // What comes behind it is answered when it has been heard.
  await eve.watch(key);
  gate.open();
  expect(await answered).toEqual({ stopReason: 'end_turn' });
});

test('pins and archives belong to a token, in all its clients, and survive a restart', async () => {
  const marksFile = join(await folder(), 'marks.json');
  const stage = await openHub({ marksFile });
  const ada = await stage.join();
  const key = await ada.start();
  const other = await stage.join();
  const eve = await stage.join('eve', 'use');
  const eves = await eve.start();

  await ada.ask(hubMethods.mark, { sessionIds: [key, eves], mark: 'pinned' });
  await other.until(() => other.marks?.pinned.length === 2);
  await other.ask(hubMethods.mark, { sessionIds: [eves], mark: 'archived' });
  await ada.until(() => ada.marks?.archived.length === 1);
  expect(ada.marks).toEqual({ pinned: [key], archived: [eves] });
  // It does not see the session of another token, and has marks of its own.
  await eve.ask(hubMethods.mark, { sessionIds: [key, eves], mark: 'pinned' });
  await eve.until(() => eve.marks?.pinned.length === 1);
  expect(eve.marks).toEqual({ pinned: [eves], archived: [] });
  await expect(ada.ask(hubMethods.mark, { sessionIds: ['../x'] })).rejects.toMatchObject({ code: -32602 });
  await expect(ada.ask(hubMethods.mark, { sessionIds: [key], mark: 'lost' })).rejects.toMatchObject({
    code: -32602,
  });
  await ada.ask(hubMethods.mark, { sessionIds: [eves] });
  await ada.until(() => ada.marks?.archived.length === 0);

  const later = await (await openHub({ marksFile })).join();
  expect(later.marks).toEqual({ pinned: [key], archived: [] });
});

test('a deleted session is removed for all clients, and from the disk', async () => {
  const stage = await openHub({ agent: { capabilities: { sessionCapabilities: { delete: {} } } } });
  const ada = await stage.join();
  const bob = await stage.join('bob');
  const key = await ada.start();
  await bob.until(() => bob.sessions.has(key));
  await ada.ask('session/delete', { sessionId: key });
  await bob.until(() => !bob.sessions.has(key));
  expect(stage.requests).toContain('session/delete');
  const later = await stage.join();
  expect(later.sessions.size).toBe(0);
});

test('a closed session whose event log another program removed is in no list, and unknown', async () => {
  const stage = await openHub();
  const ada = await stage.join();
  const [key, kept] = [await ada.start(), await ada.start()];
  await ada.prompt(key, 'hello');
  await ada.ask('session/close', { sessionId: key });

  await rm(join(stage.eventLogs, key), { recursive: true });
  const list = await ada.ask('session/list', {});

  expect(JSON.stringify(list)).toContain(kept);
  expect(JSON.stringify(list)).not.toContain(key);
  await expect(ada.prompt(key, 'again')).rejects.toMatchObject({ code: -32002 });
});

test('a forked session continues separately, from the state of the other one', async () => {
  const capabilities = { sessionCapabilities: { resume: {}, close: {}, fork: {} } };
  const stage = await openHub({ agent: { capabilities, turn: ({ say, text }) => say(`<${text}>`) } });
  const ada = await stage.join();
  const key = await ada.start();
  await ada.prompt(key, 'one');
  await ada.until(() => ada.sessions.get(key)?.canFork === true);

  const { sessionId: fork } = (await ada.ask(hubMethods.fork, { sessionId: key })) as { sessionId: string };
  await ada.watch(fork);
  await ada.prompt(fork, 'two');

  await ada.until(() => ada.said(fork) === '<one><two>');
  expect(ada.said(key)).toBe('<one>');
  expect(ada.view(fork)).toMatchObject({ key: fork, sessionId: 'fork-of-session-1' });
  expect(ada.sessions.get(fork)).toMatchObject({ title: 'one', state: 'ready' });
});

test('initialize must come first, and only once', async () => {
  const { hub } = await openHub();
  const [near, far] = memoryPair();
  const served = hub.connect(far, { principal: { id: 'token:ada', name: 'ada', scope: 'admin' } });
  const client = connect(near, {});

  await expect(client.request(hubMethods.attend, {})).rejects.toMatchObject({ code: -32600 });
  await client.request('initialize', { protocolVersion: 1 });
  await expect(client.request('initialize', { protocolVersion: 1 })).rejects.toMatchObject({ code: -32600 });
  expect(await client.request(hubMethods.attend, {})).toMatchObject({ person: 'ada' });
  await client.close();
  await served;
});

test('unknown requests are rejected without closing the connection', async () => {
  const stage = await openHub();
  const ada = await stage.join();
  const key = await ada.start();
  const methods = Object.values(hubMethods).filter((method) => method !== hubMethods.attend);
  const hostile: readonly object[] = [
    {},
    { sessionId: '../../etc' },
    { sessionId: 7 },
    { sessionId: 'nobody' },
    { sessionId: key, after: -1, answer: null, change: { kind: 'edit', id: 'x', blocks: 'y' }, graceMs: 'z' },
    { sessionId: key, requestId: 'r', answer: { kind: 'option' }, change: { kind: '__proto__' }, title: 7 },
    JSON.parse('{"sessionId":"__proto__","__proto__":{"sessionId":"x"}}') as object,
  ];
  for (const method of [
    ...methods,
    'session/prompt',
    'session/resume',
    'session/close',
    'session/delete',
    'x',
  ]) {
    for (const params of hostile) {
      // Some do nothing, such as to cancel where nothing runs; the others say why not.
      await ada.ask(method, params).catch((error: unknown) => {
        expect(error).toMatchObject({ code: expect.any(Number) as number });
      });
    }
  }
  expect(stage.faults).toEqual([]);
  expect(await ada.prompt(await ada.start(), 'still there')).toEqual({ stopReason: 'end_turn' });
});

test('the output of a command is streamed, also to a client that joins later', async () => {
  const stage = await openHub({
    agent: {
      turn: async ({ client, request: { sessionId } }) => {
        const script = 'echo one; while [ ! -f gate ]; do sleep 0.02; done; echo two';
        const started = { sessionId, command: 'sh', args: ['-c', script] };
        const { terminalId } = await client.request('terminal/create', started);
        await client.request('terminal/wait_for_exit', { sessionId, terminalId });
      },
    },
  });
  const ada = await stage.join('ada');
  const key = await ada.start();
  const answered = ada.prompt(key, 'go');
  const { requestId } = await ada.question('permission');
  const answer = { kind: 'option', optionId: 'allow' };
  await ada.ask(hubMethods.answer, { sessionId: key, requestId, answer });
  await ada.until(() => [...ada.texts.values()].includes('one\n'));

  const bob = await stage.join('bob');
  await bob.watch(key);
  await bob.until(() => [...bob.texts.values()].includes('one\n'));
  const cleo = await stage.join('cleo', 'admin', undefined, key);
  await cleo.until(() => [...cleo.texts.values()].includes('one\n') && cleo.isCaughtUp(key));
  await writeFile(join(stage.workspace, 'gate'), '');
  await answered;

  await cleo.until(() => cleo.view(key).phase === 'ready');
  await bob.until(() => bob.view(key).phase === 'ready');
  const [terminal] = [...entries(bob.view(key).terminals)];
  expect(terminal?.value).toMatchObject({ state: 'ended', output: 'one\ntwo\n', exitCode: 0 });
});

test('a user who is not signed in chooses a method; typed variables are used once, and not stored', async () => {
  const starts: Readonly<Record<string, string>>[] = [];
  // As drafts of the protocol had it; the schema of today does not.
  const method = { id: 'key', name: 'A key', type: 'env_var', vars: [{ name: 'API_KEY' }] };
  const methods: readonly AuthMethod[] = JSON.parse(JSON.stringify([method]));
  const stage = await openHub({
    agent: {
      authMethods: methods,
      onStart: ({ env }) => starts.push(env),
      onSession: () => {
        if (starts.at(-1)?.['API_KEY'] === undefined) throw authRequired();
      },
      turn: ({ say }) => say('the key is hunter2hunter2'),
    },
  });
  const ada = await stage.join();
  const starting = ada.start();
  const question = await ada.question('sign-in');
  expect(question).toMatchObject({ agent: 'scripted', methods: [{ kind: 'variables', id: 'key' }] });
  expect(ada.agents).toMatchObject([{ signIn: 'needed' }]);
  await ada.ask(hubMethods.answer, {
    sessionId: question.key,
    requestId: question.requestId,
    answer: { kind: 'sign-in', methodId: 'key', values: { API_KEY: 'hunter2hunter2', PATH: '/evil' } },
  });
  const key = await starting;
  await ada.prompt(key, 'go');

  await ada.until(() => ada.said(key) !== '');
  expect(ada.said(key)).toBe('the key is ***');
  expect(starts).toEqual([{}, { API_KEY: 'hunter2hunter2' }]);
  await ada.until(() => ada.agents[0]?.signIn === 'signed-in');
});

/** An agent that is a process, and opens no session before `authenticate`. */
const lockedAgent = `
  const answers = {
    initialize: () => ({ protocolVersion: 1, authMethods: [{ id: 'api-key', name: 'API Key' }] }),
    authenticate: () => ((open = true), {}),
    'session/new': () => (open ? { sessionId: 's' } : undefined),
  };
  let open = false;
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    const result = answers[method]?.();
    const answer = result === undefined ? { error: { code: -32000, message: 'no' } } : { result };
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  });
`;

test('a user who has set the variable of a sign-in method is not asked', async () => {
  const signIn = { hint: '', variables: ['LOCKED_KEY'], method: 'api-key' };
  const spec: AgentSpec = {
    name: 'scripted',
    reach: { by: 'command', command: process.execPath, args: ['-e', lockedAgent] },
    env: { LOCKED_KEY: 'k' },
    signIn,
  };
  const stage = await openHub({ agents: [{ name: 'scripted', place: 'installed', spec }] });
  const ada = await stage.join();
  expect(await ada.start()).toBeDefined();
  await ada.until(() => ada.agents[0]?.signIn === 'signed-in');
});

test('while an ended agent waits for its restart, all clients know when', async () => {
  let isBroken = false;
  const stage = await openHub({
    restart: { attempts: 2, delayMs: 60_000, maxDelayMs: 60_000 },
    agent: {
      capabilities: { sessionCapabilities: { resume: {} } },
      onStart: () => {
        if (isBroken) throw new Error('no such program');
      },
      turn: async ({ die }) => {
        isBroken = true;
        await die();
      },
    },
  });
  const ada = await stage.join();
  const key = await ada.start();
  const before = Date.now();
  const died = ada.prompt(key, 'die').catch((error: unknown) => error);

  await ada.until(() => ada.sessions.get(key)?.restart?.attempt === 2);
  const { state, restart } = ada.sessions.get(key) ?? {};
  expect(state).toBe('starting');
  expect(restart).toMatchObject({ attempt: 2, attempts: 2 });
  expect(restart?.at).toBeGreaterThanOrEqual(before + 60_000);

  await ada.ask('session/close', { sessionId: key });
  await ada.until(() => ada.sessions.get(key)?.state === 'kept');
  expect(ada.sessions.get(key)?.restart).toBeUndefined();
  expect(await died).toMatchObject({ data: { code: 'agent-exited' } });
});

test('a failed agent is shown with the reason, and restarted on request', async () => {
  let isBroken = false;
  const stage = await openHub({
    restart: { attempts: 1, delayMs: 0 },
    agent: {
      capabilities: { sessionCapabilities: { resume: {} } },
      onStart: () => {
        if (isBroken) throw new Error('no such program');
      },
      turn: async ({ die, text }) => {
        if (text !== 'die') return;
        isBroken = true;
        await die();
      },
    },
  });
  const ada = await stage.join();
  const key = await ada.start();
  const died = ada.prompt(key, 'die').catch((error: unknown) => error);
  await ada.until(() => ada.sessions.get(key)?.state === 'failed');
  expect(ada.sessions.get(key)?.failure).toContain('no such program');
  expect(await died).toMatchObject({ data: { code: 'agent-exited' } });

  isBroken = false;
  await ada.ask(hubMethods.restart, { sessionId: key });
  expect(await ada.prompt(key, 'again')).toEqual({ stopReason: 'end_turn' });
});

test('a client that does not read delays no other client, and gets everything when it reads again', async () => {
  const text = 'x'.repeat(1000);
  const stage = await openHub({
    agent: {
      turn: async ({ say }) => {
        for (let count = 0; count < 2000; count += 1) await say(text);
      },
    },
  });
  const ada = await stage.join('ada');
  const key = await ada.start();
  const reads = createGate();
  const slow = await stage.join('slow', 'observe', reads.passed);
  await slow.watch(key);
  expect(await ada.prompt(key, 'go')).toEqual({ stopReason: 'end_turn' });
  await ada.until(() => ada.view(key).phase === 'ready' && ada.view(key).turns.length === 1);
  expect(ada.said(key).length).toBe(2000 * text.length);

  reads.open();
  await slow.until(() => slow.view(key).turns.length === 1 && slow.view(key).phase === 'ready');
  expect(slow.seqs.get(key)).toEqual(ada.seqs.get(key));
});

test('after signing in to an agent outside of a session, its sessions need no sign-in', async () => {
  const method = { id: 'key', name: 'A key', type: 'env_var', vars: [{ name: 'API_KEY' }] };
  const starts: Readonly<Record<string, string>>[] = [];
  const stage = await openHub({
    agent: {
      authMethods: JSON.parse(JSON.stringify([method])),
      onStart: ({ env }) => starts.push(env),
      onSession: () => {
        if (starts.at(-1)?.['API_KEY'] !== 'right-key') throw authRequired();
      },
    },
  });
  const ada = await stage.join();
  const signIn = (value: string): Promise<unknown> =>
    ada.ask(agentMethods.signIn, { agent: 'scripted', methodId: 'key', values: { API_KEY: value } });

  await expect(signIn('wrong-key')).rejects.toMatchObject({ code: -32000 });
  await signIn('right-key');

  await ada.until(() => ada.agents[0]?.signIn === 'signed-in');
  await ada.prompt(await ada.start(), 'go');
  expect(JSON.stringify(ada.agents)).not.toContain('right-key');
  await expect(ada.ask(agentMethods.signIn, { agent: 'scripted', methodId: 'other' })).rejects.toMatchObject({
    code: -32602,
  });
});
