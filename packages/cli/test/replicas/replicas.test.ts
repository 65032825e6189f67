import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { delegatingAgent, findPostgres, subagentAgent, type TestPostgres } from '@parley/conformance';
import { changesMethods, hubMethods } from '@parley/host/hub';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runSql, startTestPostgres } from '../postgres.ts';
import { emptyFolder, openReplica, type TestReplica, type TestReplicaOptions } from './replica-stage.ts';
import type { ScriptedTurn } from './scripted-agent.ts';

const found = findPostgres();
if ('missing' in found) process.stderr.write(`${found.missing}: the tests of replicas are SKIPPED.\n`);

describe.skipIf('missing' in found)('two replicas of a hub', () => {
  let server: TestPostgres;

  beforeAll(async () => {
    server = await startTestPostgres();
  });

  afterAll(() => server[Symbol.asyncDispose]());

  test('a client of one replica prompts, answers and cancels in a session of the other', async () => {
    const url = await server.createDatabase();
    const workspaces = [{ folder: await emptyFolder() }];
    const turn = async ({
      client,
      sessionId,
      text,
      say,
      signal,
    }: Parameters<NonNullable<Parameters<typeof openReplica>[2]['turn']>>[0]): Promise<void> => {
      if (text === 'wait') {
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        return;
      }
      const { outcome } = await client.request('session/request_permission', {
        sessionId,
        toolCall: { toolCallId: 'call-1', title: 'Write a file', kind: 'edit' },
        options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
      });
      await say(JSON.stringify(outcome));
    };
    const one = await openReplica(url, 'one', { workspaces, turn });
    const two = await openReplica(url, 'two', { workspaces });
    const near = await one.join();
    const far = await two.join();
    const key = await near.start(workspaces[0]?.folder ?? '');
    await far.until(() => far.sessions.get(key)?.machine === 'one');
    await far.watch(key);

    const prompted = far.prompt(key, 'ask');
    await far.until(() => far.questions.length > 0);
    await far.ask(hubMethods.answer, {
      sessionId: key,
      requestId: far.questions[0]?.requestId,
      answer: { kind: 'option', optionId: 'yes' },
    });
    expect(await prompted).toMatchObject({ stopReason: 'end_turn' });

    const waiting = far.prompt(key, 'wait');
    await far.until(() => far.types.filter((type) => type === 'turn-start').length === 2);
    await far.ask(hubMethods.cancel, { sessionId: key });
    expect(await waiting).toMatchObject({ stopReason: 'cancelled' });

    await near.until(() => near.types.filter((type) => type === 'turn-end').length === 2);
    await far.until(() => far.types.filter((type) => type === 'turn-end').length === 2);
    expect(far.events).toEqual(near.events);
    expect(far.events.map(({ seq }) => seq)).toEqual(far.events.map((_, index) => index + 1));
    expect(two.agent.requests).toEqual([]);
    expect([...one.faults, ...two.faults]).toEqual([]);
  });

  test('a plain ACP client loads a session of another replica, receives its requests, and has all of a turn when the prompt is answered', async () => {
    const url = await server.createDatabase();
    const folder = await emptyFolder();
    const one = await openReplica(url, 'one', {
      workspaces: [{ folder }],
      turn: async ({ client, sessionId, say }) => {
        const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }] as const;
        const toolCall = { toolCallId: 'call-1', title: 'Write', kind: 'edit' } as const;
        const { outcome } = await client.request('session/request_permission', {
          sessionId,
          toolCall,
          options: [...options],
        });
        await say(outcome.outcome);
      },
    });
    const two = await openReplica(url, 'two', { workspaces: [{ folder }] });
    const near = await one.join();
    const key = await near.start(folder);

    const editor = await two.plain(() => ({ outcome: { outcome: 'selected', optionId: 'yes' } }));
    await editor.ask('session/load', { sessionId: key, cwd: folder, mcpServers: [] });
    expect(await editor.prompt(key, 'go')).toMatchObject({ stopReason: 'end_turn' });

    expect(editor.said).toBe('selected');
    expect([...one.faults, ...two.faults]).toEqual([]);
  });

  test('when a replica is gone, another takes over: the turn ends, queued prompts continue, and the old agent is ended', async () => {
    const url = await server.createDatabase();
    const folder = await emptyFolder();
    const never = new Promise<void>(() => {});
    const one = await openReplica(url, 'one', { workspaces: [{ folder }], turn: () => never });
    const two = await openReplica(url, 'two', { workspaces: [{ folder }] });
    const near = await one.join();
    const far = await two.join();
    const key = await near.start(folder);
    await far.until(() => far.sessions.get(key) !== undefined);
    await far.watch(key);
    const first = far.prompt(key, 'first').catch((error: unknown) => error);
    await far.until(() => far.types.includes('turn-start'));
    const second = far.prompt(key, 'second');
    await far.until(() => far.sessions.get(key)?.queue.length === 1);

    await expect.poll(() => one.agent.requests).toContain('session/prompt first');

    await one.expire(key);

    expect(await second).toMatchObject({ stopReason: 'end_turn' });
    expect(String(await first)).toContain('the machine that ran the turn has ended');
    await far.until(() => far.types.filter((type) => type === 'turn-end').length === 1);
    expect(two.agent.requests).toEqual([expect.stringContaining('session/resume'), 'session/prompt second']);
    expect(one.agent.requests).toEqual(['session/new', 'session/prompt first']);
    expect(far.types.filter((type) => type === 'interruption')).toHaveLength(1);
    expect(far.events.map(({ seq }) => seq)).toEqual(far.events.map((_, index) => index + 1));
    await expect.poll(() => one.agent.open.size).toBe(0);
  });

  test('prompts wait, in order, for a machine that has the folder of their session; one that is withdrawn meanwhile has no turn', async () => {
    const url = await server.createDatabase();
    const folder = await emptyFolder();
    const one = await openReplica(url, 'one', { workspaces: [{ name: 'app', folder }] });
    const two = await openReplica(url, 'two', { workspaces: [{ folder: await emptyFolder() }] });
    const near = await one.join();
    const far = await two.join();
    const key = await near.start(folder);
    await far.until(() => far.sessions.get(key)?.machine === 'one');
    await far.watch(key);
    await one.hub.close();
    await one.store[Symbol.asyncDispose]();
    const withdrawn = new AbortController();
    const prompt = (text: string, options = {}): Promise<unknown> =>
      far.connection.request(
        'session/prompt',
        { sessionId: key, prompt: [{ type: 'text', text }] },
        { ...options },
      );
    const unwanted = prompt('unwanted', { withdrawal: withdrawn.signal });
    await far.until(() => far.types.includes('diagnostic'));
    const texts = Array.from({ length: 8 }, (_, index) => `prompt ${String(index)}`);
    const answers: Promise<unknown>[] = [];
    const commands = (): Promise<unknown> =>
      runSql(url, 'select is_cancelled from parley.commands order by n');
    for (const text of texts) {
      answers.push(prompt(text));
      await expect.poll(commands).toHaveLength(1 + answers.length);
    }
    withdrawn.abort();
    await expect.poll(commands).toContainEqual({ is_cancelled: true });

    const three = await openReplica(url, 'three', { workspaces: [{ name: 'app', folder }] });
    await Promise.all(answers);

    expect(await unwanted).toMatchObject({ stopReason: 'cancelled' });
    expect(three.agent.requests.slice(1)).toEqual(texts.map((text) => `session/prompt ${text}`));
  });

  test('sub-agents of a session of the other replica are answered for and cancelled, and text joins its turn', async () => {
    const url = await server.createDatabase();
    const folder = await emptyFolder();
    const commands = { whole: subagentAgent('whole'), cancel: subagentAgent('cancel') };
    const one = await openReplica(url, 'one', { workspaces: [{ folder }], commands });
    const two = await openReplica(url, 'two', { workspaces: [{ folder }], commands });
    const near = await one.join();
    const far = await two.join();
    const key = await near.start(folder, { 'parley/agent': 'whole' });
    await far.until(() => far.sessions.get(key)?.machine === 'one');
    await far.watch(key);

    const prompted = far.prompt(key, 'go');
    await far.until(() => far.questions.length === 2);
    const prompt = [{ type: 'text', text: 'now' }];
    expect(await far.ask(hubMethods.steer, { sessionId: key, prompt })).toEqual({ outcome: 'steered' });
    for (const { kind, requestId, subagent } of far.questions) {
      expect(subagent).toEqual({ sessionId: 'kid', title: 'Worker' });
      const answer =
        kind === 'permission'
          ? { kind: 'option', optionId: 'yes' }
          : { kind: 'form', action: 'accept', content: { test: 'clock' } };
      await far.ask(hubMethods.answer, { sessionId: key, requestId, answer });
    }
    expect(await prompted).toMatchObject({ stopReason: 'end_turn' });
    await near.until(() => near.types.includes('turn-end'));
    await far.until(() => far.types.includes('turn-end'));
    expect(far.events).toEqual(near.events);
    expect(far.events.filter(({ subagent }) => subagent !== undefined).length).toBeGreaterThan(5);

    const other = await near.start(folder, { 'parley/agent': 'cancel' });
    await far.until(() => far.sessions.get(other)?.machine === 'one');
    await far.watch(other);
    await far.prompt(other, 'go');
    const cancelled = (): readonly unknown[] =>
      far.events.flatMap(({ update }) => {
        const { sessionId, state } = (update ?? {}) as {
          sessionId?: string;
          state?: { stopReason?: string };
        };
        return state?.stopReason === 'cancelled' ? [sessionId] : [];
      });
    await far.ask(hubMethods.cancelSubagent, { sessionId: other, subagent: 'grandchild' });
    await far.until(() => cancelled().length === 1);
    await far.ask(hubMethods.cancel, { sessionId: other });
    await far.until(() => cancelled().length === 2);
    expect(cancelled()).toEqual(['grandchild', 'kid']);
    expect([...one.faults, ...two.faults]).toEqual([]);
  });

  test.each([
    ['is gone', async (replica: TestReplica, key: string) => replica.expire(key)],
    ['is ended', async ({ hub }: TestReplica) => hub.close()],
  ])(
    'delegates of a session of a replica that %s have asked clients of the other, and end',
    async (_how, end) => {
      const url = await server.createDatabase();
      const folder = await emptyFolder();
      const commands = { lead: delegatingAgent() };
      const turn: TestReplicaOptions['turn'] = async ({ client, sessionId, text, say, signal }) => {
        if (text === 'wait') {
          await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
          return;
        }
        if (text !== 'ask') return;
        const { outcome } = await client.request('session/request_permission', {
          sessionId,
          toolCall: { toolCallId: 'call-1', title: 'Write a file', kind: 'edit' },
          options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
        });
        await say(outcome.outcome);
      };
      const one = await openReplica(url, 'one', { workspaces: [{ folder }], commands, turn });
      const two = await openReplica(url, 'two', { workspaces: [{ folder }], commands, turn });
      const near = await one.join();
      const far = await two.join();
      const key = await near.start(folder, { 'parley/agent': 'lead', 'parley/team': ['scripted'] });
      await far.until(() => far.sessions.get(key)?.machine === 'one');
      await far.watch(key);
      const calls = [
        ['delegate', { agent: 'scripted', prompt: 'ask' }],
        ['wait', { id: 0 }],
        ['delegate', { agent: 'scripted', prompt: 'wait' }],
        ['send', { id: 2, prompt: 'later' }],
        ['stay'],
      ];
      far.prompt(key, JSON.stringify(calls)).catch(() => undefined);
      await far.until(() => far.questions.length === 1);
      const [question] = far.questions;
      expect(question).toMatchObject({ key, subagent: { title: 'scripted' } });
      await far.ask(hubMethods.answer, {
        sessionId: key,
        requestId: question?.requestId,
        answer: { kind: 'option', optionId: 'yes' },
      });
      const working = (): string | undefined =>
        [...far.sessions.values()].find(({ parent, queue }) => parent === key && queue.length === 1)?.key;
      await far.until(() => working() !== undefined);
      const delegate = working() ?? '';

      await expect.poll(async () => JSON.stringify(await one.store.columns(delegate))).toContain('later');
      // The queue is there before the agent has a session that could be resumed.
      await expect.poll(() => one.agent.requests).toContain('session/prompt wait');

      const before = one.agent.requests.length;

      await end(one, key);

      await far.until(() => far.sessions.get(key)?.machine === 'two');
      await far.until(() => far.sessions.get(delegate)?.machine === undefined);
      // Until then, the machine that had it would do what is sent: also one that only seemed dead, and is back.
      const isOwned = `select from parley.sessions s join parley.replicas r on r.id = s.owner where s.key = '${delegate}' and r.name = 'one'`;
      await expect.poll(() => runSql(url, isOwned)).toEqual([]);
      // What was queued for it is held: only what a user sends goes on.
      const prompt = [{ type: 'text', text: 'by hand' }];
      await far.ask('session/prompt', { sessionId: delegate, prompt, _meta: { 'parley/passesHeld': true } });
      // Once, on any machine that is alive by now.
      expect([...one.agent.requests.slice(before), ...two.agent.requests]).toEqual([
        expect.stringContaining('session/resume'),
        'session/prompt by hand',
      ]);
      await expect.poll(() => one.agent.open.size).toBe(0);
      expect(two.faults).toEqual([]);
    },
  );

  test('turns of another machine are listed with its name and cannot be undone here, those of this machine can', async () => {
    const url = await server.createDatabase();
    // The same folder, at other paths of two machines.
    const [here, there] = [await emptyFolder(), await emptyFolder()];
    const machine = (host: string, folder: string, file: string): Parameters<typeof openReplica>[2] => ({
      host,
      workspaces: [{ name: 'app', folder }],
      takesCheckpoints: true,
      turn: () => writeFile(path.join(folder, file), 'x\n'),
    });
    const one = await openReplica(url, 'one', machine('box-1', here, '1.txt'));
    const two = await openReplica(url, 'two', machine('box-2', there, '2.txt'));
    const near = await one.join();
    const far = await two.join();
    const key = await near.start(here);
    await near.prompt(key, 'first');
    await far.until(() => far.sessions.get(key) !== undefined);
    await one.expire(key);
    await far.prompt(key, 'second');

    const params = { sessionId: key };
    expect(await far.ask(changesMethods.listChanges, params)).toMatchObject({
      turns: [
        { turn: 1, unavailable: { machine: 'box-1' }, files: [{ path: '1.txt' }] },
        { turn: 2, files: [{ path: '2.txt' }] },
      ],
    });
    expect(await far.ask(changesMethods.diffChanges, params)).toMatchObject({
      files: [{ path: '2.txt' }],
      unavailable: [{ turn: 1, machine: 'box-1' }],
    });
    const unreported = { ...params, unreported: true };
    expect(await far.ask(changesMethods.undoChanges, unreported)).toMatchObject({ undone: 2 });
    await expect(far.ask(changesMethods.undoChanges, unreported)).rejects.toMatchObject({
      message: expect.stringContaining('it ran on the machine "box-1"') as string,
      data: { code: 'expired' },
    });
    expect(await readdir(there)).toEqual([]);
  });

  test('a manual handover stops the running turn only if requested, the queue continues on the other machine, and each prompt is answered once', async () => {
    const url = await server.createDatabase();
    const folder = await emptyFolder();
    const workspaces = [{ folder }];
    const one = await openReplica(url, 'one', { workspaces, turn: waitOrSay });
    const two = await openReplica(url, 'two', { workspaces });
    const three = await openReplica(url, 'three', { workspaces: [{ folder: await emptyFolder() }] });
    const near = await one.join();
    const far = await two.join();
    const aside = await three.join();
    await near.until(() => near.machines.length === 3);
    const sessionId = await near.start(folder);
    await aside.until(() => aside.sessions.get(sessionId)?.machine === 'one');
    const { machines } = await aside.ask(hubMethods.machines, { sessionId });
    expect(machines).toHaveLength(2);
    expect(machines).toEqual(expect.arrayContaining(['one', 'two']));

    const refused = (machine: string): Promise<unknown> =>
      aside.ask(hubMethods.handOver, { sessionId, machine }).then(
        () => undefined,
        (error: unknown) => error,
      );
    const running = near.prompt(sessionId, 'wait');
    await near.until(() => near.types.includes('turn-start'));
    expect(await refused('three')).toMatchObject({ data: { code: 'no-machine' } });
    expect(await refused('four')).toMatchObject({ data: { code: 'no-machine' } });
    expect(await refused('one')).toMatchObject({ data: { code: 'no-machine' } });
    expect(await refused('two')).toMatchObject({ data: { code: 'turn-running' } });
    const queued = [near.prompt(sessionId, 'second'), far.prompt(sessionId, 'third')];
    await far.until(() => far.sessions.get(sessionId)?.queue.length === 2);

    await aside.ask(hubMethods.handOver, { sessionId, machine: 'two', stopsTurn: true });

    expect(await running).toMatchObject({ stopReason: 'cancelled' });
    for (const prompt of queued) expect(await prompt).toMatchObject({ stopReason: 'end_turn' });
    expect(one.agent.requests).toEqual(['session/new', 'session/prompt wait']);
    expect(two.agent.requests.slice(1).toSorted()).toEqual(['session/prompt second', 'session/prompt third']);
    for (const client of [near, far, aside]) {
      await client.until(() => client.sessions.get(sessionId)?.machine === 'two');
    }
    await near.until(() => near.types.filter((type) => type === 'turn-end').length === 3);
    expect(near.events.map(({ seq }) => seq)).toEqual(near.events.map((_, index) => index + 1));

    // And back again, idle.
    await near.ask(hubMethods.handOver, { sessionId });
    expect(await near.prompt(sessionId, 'again')).toMatchObject({ stopReason: 'end_turn' });
    expect(one.agent.requests.at(-1)).toBe('session/prompt again');
    expect([...one.faults, ...two.faults, ...three.faults]).toEqual([]);
  });

  test('a prompt in a queue that is on hold is answered when the queue goes on, also after its agent was ended', async () => {
    const url = await server.createDatabase();
    const folder = await emptyFolder();
    const one = await openReplica(url, 'one', { workspaces: [{ folder }], turn: waitOrSay });
    const two = await openReplica(url, 'two', { workspaces: [] });
    const near = await one.join();
    const far = await two.join();
    const sessionId = await near.start(folder);
    await far.until(() => far.sessions.get(sessionId) !== undefined);
    const running = near.prompt(sessionId, 'wait');
    await near.until(() => near.types.includes('turn-start'));
    const queued = far.prompt(sessionId, 'second');
    await near.until(() => near.sessions.get(sessionId)?.queue.length === 1);
    await near.ask(hubMethods.cancel, { sessionId });
    expect(await running).toMatchObject({ stopReason: 'cancelled' });
    await near.ask('session/close', { sessionId });
    await expect.poll(() => one.agent.open.size).toBe(0);
    await near.until(() => near.sessions.get(sessionId)?.isQueueHeld === true);

    await far.ask(hubMethods.queue, { sessionId, change: { kind: 'go-on' } });

    expect(await queued).toMatchObject({ stopReason: 'end_turn' });
    expect([...one.faults, ...two.faults]).toEqual([]);
  });

  test('what one machine was asked is answered with an error when it has ended', async () => {
    const one = await openReplica(await server.createDatabase(), 'one', { workspaces: [] });
    let outcome: unknown;
    const command = {
      id: crypto.randomUUID(),
      key: '',
      target: crypto.randomUUID(),
      body: {},
      hasSecret: false,
    };
    const { signal } = new AbortController();
    void one.store.replicas.send(command, { signal }).then((settled) => {
      outcome = settled;
    });

    await expect
      .poll(async () => {
        await one.expire('no session');
        return outcome;
      })
      .toMatchObject({ error: { code: -32_603 } });
  });

  test('a session is not handed over to a machine without room; a token of scope use sees no load, and hands over its own sessions only', async () => {
    const url = await server.createDatabase();
    const workspaces = [{ folder: await emptyFolder() }];
    const one = await openReplica(url, 'one', { workspaces });
    await openReplica(url, 'two', { workspaces, slots: 0 });
    const near = await one.join();
    const eve = await one.join({ id: 'token:eve', name: 'eve', scope: 'use' });
    for (const client of [near, eve]) await client.until(() => client.machines.length === 2);
    expect(near.machines).toMatchObject([
      { name: 'one', isThis: true, agents: { used: 0, slots: 8 } },
      { name: 'two', isThis: false, agents: { used: 0, slots: 0 } },
    ]);
    expect(eve.machines.map(({ name, agents }) => [name, agents])).toEqual([
      ['one', undefined],
      ['two', undefined],
    ]);
    const sessionId = await near.start(workspaces[0]?.folder ?? '');
    const own = await eve.start(workspaces[0]?.folder ?? '');

    await expect(near.ask(hubMethods.handOver, { sessionId })).rejects.toMatchObject({
      data: { code: 'no-room' },
    });
    await expect(eve.ask(hubMethods.handOver, { sessionId: own })).rejects.toMatchObject({
      data: { code: 'no-room' },
    });
    await expect(eve.ask(hubMethods.handOver, { sessionId })).rejects.toMatchObject({ code: -32_002 });
    await expect(eve.ask(hubMethods.machines, { sessionId })).rejects.toMatchObject({ code: -32_002 });
  });
});

/** A turn that ends when it is cancelled, if its prompt says so. */
async function waitOrSay({ text, say, signal }: ScriptedTurn): Promise<void> {
  if (text !== 'wait') return say(text);
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
}
