import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { faultyAgent } from '@parley/conformance';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { HostEvent } from '../src/index.ts';
import { subagentOf, turnCount, values } from '../src/state/index.ts';
import { delegationStage, isRunning, type DelegationStage } from './delegation-stage.ts';
import { folder, only } from './harness.ts';

/** Waits far longer than anything here takes. */
const long = { seconds: 600 };

/** Starts a delegate, and gives its id. */
async function delegate(stage: DelegationStage, agent: string, prompt = 'go'): Promise<string> {
  return (await stage.call('delegate', { agent, prompt })).id;
}

/** Ends the session: no process of its agent or of its delegates is left. */
async function end(stage: DelegationStage, agents: number): Promise<void> {
  await stage.session.shutDown();
  expect(stage.pids).toHaveLength(agents);
  expect(stage.pids.filter(isRunning)).toEqual([]);
}

/** Settles when a delegate has said something. */
function speech(stage: DelegationStage, id: string): Promise<HostEvent> {
  return stage.event(
    (event) =>
      event.type === 'update' && event.subagent === id && event.view.sessionUpdate === 'agent_message_chunk',
  );
}

test('a delegate is a session of its own, and a sub-agent of its parent', async () => {
  const stage = await delegationStage({ faults: ['none'] });

  const id = await delegate(stage, 'none', 'count the files\nof this folder');
  expect(await stage.call('wait', { id, ...long })).toEqual({
    id,
    agent: 'none',
    state: 'idle',
    stopReason: 'end_turn',
    message: 'count the files\nof this folder',
  });
  await stage.call('send', { id, prompt: 'again' });
  expect(await stage.call('wait', { id, ...long })).toMatchObject({ state: 'idle', message: 'again' });
  await end(stage, 2);

  const own = await stage.state(id);
  expect(turnCount(own)).toBe(2);
  const child = subagentOf(await stage.state(), id);
  expect(child).toMatchObject({ title: 'none', description: 'count the files' });
  expect(Array.from(values(child?.conversation.items ?? own.items), ({ kind }) => kind)).toEqual([
    'session-message',
    'message',
    'session-message',
    'message',
  ]);
  expect(stage.delegates.get(id)?.shown).toMatchObject({ parent: stage.session.sessionId, agent: 'none' });
});

test.each([
  ['that is killed', 'crash', /was ended by|exited|signal/u],
  ['that exits while it starts', 'exit-in-initialize', /status 3/u],
  ['that requires a sign-in', 'auth-at-new', /sign|auth/iu],
  ['that fails', 'error-as-text', /./u],
])('a delegate %s is an answer of wait, which waits for no time to pass', async (_what, fault, error) => {
  const stage = await delegationStage({ faults: [fault], restart: {} });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });

  const id = await delegate(stage, fault);
  const answer = await stage.call('wait', { id, ...long });

  vi.useRealTimers();
  expect(answer).toMatchObject({ id, state: 'failed', error: expect.stringMatching(error) });
  expect(subagentOf(await stage.state(), id)?.work).toMatchObject({ state: 'idle', stopReason: 'error' });
});

test('a delegate whose model refuses is idle, and says so', async () => {
  const stage = await delegationStage({ faults: ['scripted'] });

  const id = await delegate(stage, 'scripted', JSON.stringify([{ say: 'I will not' }, { stop: 'refusal' }]));
  const answer = await stage.call('wait', { id, ...long });

  expect(answer).toEqual({
    id,
    agent: 'scripted',
    state: 'idle',
    stopReason: 'refusal',
    message: 'I will not',
  });
  expect(subagentOf(await stage.state(), id)?.work).toMatchObject({ state: 'idle', stopReason: 'refusal' });
});

test('a delegate that died while idle is not restarted before the next prompt, whose answer is its state', async () => {
  const home = await folder();
  const node = join(home, 'node');
  await symlink(process.execPath, node);
  const [, ...args] = faultyAgent('none');
  // The hub and the command restart the agents of other sessions.
  const stage = await delegationStage({ faults: ['other'], other: [node, ...args], restart: {} });
  const id = await delegate(stage, 'other');
  await stage.call('wait', { id, ...long });
  const die = async (): Promise<void> => {
    const ends = (): number => only(stage.eventsOf(id), 'agent-end').length;
    const before = ends();
    process.kill(stage.pids.at(-1) ?? 0, 'SIGKILL');
    await expect.poll(ends).toBe(before + 1);
  };

  await die();
  await stage.call('send', { id, prompt: 'go on' });
  expect(await stage.call('wait', { id, ...long })).toMatchObject({ state: 'idle', message: 'go on' });
  await rm(node);
  await die();
  await stage.call('send', { id, prompt: 'never read' });
  expect(await stage.call('wait', { id, ...long })).toMatchObject({
    state: 'failed',
    error: expect.stringMatching(/node/u),
  });

  expect(only(stage.eventsOf(id), 'agent-restart')).toEqual([]);
  expect(stage.pids).toHaveLength(3);
});

test('a hanging delegate is "running" when wait times out, and can be cancelled', async () => {
  const stage = await delegationStage({ faults: ['silent-prompt'] });

  const id = await delegate(stage, 'silent-prompt');
  await expect.poll(() => stage.initialized).toContain('silent-prompt');
  expect(await stage.call('wait', { id, seconds: 0.01 })).toMatchObject({ state: 'running' });
  expect(stage.session.subagents.areWorking).toBe(true);
  const answer = await stage.call('cancel', { id });

  expect(answer['state']).not.toBe('running');
  expect(stage.session.subagents.areWorking).toBe(false);
  await end(stage, 2);
});

test.each([
  ['before its agent starts', 'silent-initialize', () => true],
  ['while its agent starts', 'silent-initialize', ({ pids }: DelegationStage) => pids.length === 2],
  [
    'while its agent opens a session',
    'silent-new',
    ({ initialized }: DelegationStage) => initialized.includes('silent-new'),
  ],
])('a delegate can be cancelled %s', async (_when, fault, isThen) => {
  const stage = await delegationStage({ faults: [fault] });

  const id = await delegate(stage, fault);
  await expect.poll(() => isThen(stage)).toBe(true);
  expect(await stage.call('wait', { id, seconds: 0 })).toMatchObject({ state: 'running' });
  const answer = await stage.call('cancel', { id });

  expect(answer).toMatchObject({ id, state: 'idle', stopReason: 'cancelled' });
  expect(await stage.call('wait', { id, ...long })).toEqual(answer);
  await stage.session.shutDown();
  expect(stage.pids.filter(isRunning)).toEqual([]);
});

test('a delegate can be cancelled before its session is created, and accepts a prompt afterwards', async () => {
  let create = (): void => undefined;
  const opening = new Promise<void>((resolve) => {
    create = resolve;
  });
  const stage = await delegationStage({ faults: ['none'], opening });

  const id = await delegate(stage, 'none', 'never sent');
  expect(await stage.call('cancel', { id })).toMatchObject({ state: 'idle', stopReason: 'cancelled' });
  expect(stage.session.subagents.areWorking).toBe(false);
  create();
  await stage.call('send', { id, prompt: 'go on' });

  expect(await stage.call('wait', { id, ...long })).toMatchObject({
    stopReason: 'end_turn',
    message: 'go on',
  });
  expect(turnCount(await stage.state(id))).toBe(1);
});

test('a cancelled delegate accepts another prompt', async () => {
  const stage = await delegationStage({ faults: ['none'] });

  const id = await delegate(stage, 'none', 'wait for it');
  await speech(stage, id);
  await stage.call('send', { id, prompt: 'never sent' });
  expect(await stage.call('cancel', { id })).toMatchObject({ state: 'idle', stopReason: 'cancelled' });
  await stage.call('send', { id, prompt: 'go on' });

  expect(await stage.call('wait', { id, ...long })).toMatchObject({
    stopReason: 'end_turn',
    message: 'go on',
  });
  await end(stage, 2);
});

test('all updates of a flooding delegate are stored, and its final message is bounded', async () => {
  const stage = await delegationStage({ faults: ['flood-of-updates'] });

  const id = await delegate(stage, 'flood-of-updates');
  const { message, state } = await stage.call('wait', { id, ...long });

  expect(state).toBe('idle');
  expect(String(message).length).toBeLessThan(140_000);
  const updates = only(stage.events, 'update').filter(({ subagent }) => subagent === id);
  expect(updates.length).toBeGreaterThan(20_000);
  await end(stage, 2);
});

test('a delegate asks the user of its parent, and waits meanwhile', async () => {
  const asked: unknown[] = [];
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const stage = await delegationStage({
    faults: ['subagent background'],
    policy: { approve: { level: 'ask', given: false }, rules: [] },
    interact: {
      permission: async (_request, { subagent }) => {
        asked.push(subagent);
        await answered;
        return { kind: 'option', optionId: 'yes' };
      },
    },
  });

  const id = await delegate(stage, 'subagent background');
  await stage.event((event) => event.type === 'permission-request' && event.subagent === id);
  answer();
  const permission = await stage.event((event) => event.type === 'permission');

  expect(asked).toEqual([{ sessionId: id, title: 'subagent background' }]);
  expect(permission).toMatchObject({ subagent: id, decision: 'yes', by: 'person' });
  await end(stage, 2);
});

test('too many delegates, agents outside the team and unknown ids are rejected at once', async () => {
  const stage = await delegationStage({ faults: ['none'], limits: { maxRunning: 2, maxTotal: 3 } });

  const [first, second] = [await delegate(stage, 'none', 'wait'), await delegate(stage, 'none', 'wait')];
  await Promise.all([speech(stage, first), speech(stage, second)]);
  await expect(delegate(stage, 'none')).rejects.toThrow(/maxRunning/u);
  await stage.call('cancel', { id: first });
  const third = await delegate(stage, 'none');
  await stage.call('wait', { id: third, ...long });
  await expect(delegate(stage, 'none')).rejects.toThrow(/maxTotal/u);
  await expect(delegate(stage, 'stranger')).rejects.toThrow(/no agent "stranger"/u);
  await expect(stage.call('wait', { id: 'stranger' })).rejects.toThrow(/no delegate "stranger"/u);
  await expect(stage.call('delegate', { agent: 'none' })).rejects.toThrow(/"prompt"/u);

  expect(await stage.call('list_agents')).toMatchObject({
    agents: [{ name: 'none' }],
    delegates: [
      { id: first, state: 'idle' },
      { id: second, state: 'running' },
      { id: third, state: 'idle' },
    ],
    running: 1,
    begun: 3,
  });
});

test('nested delegation is limited by maxDepth, and all delegates count together', async () => {
  const flat = await delegationStage({ faults: ['none'] });
  await flat.call('wait', { id: await delegate(flat, 'none'), ...long });
  expect([...flat.delegating]).toEqual([]);

  const deep = await delegationStage({ faults: ['none'], limits: { maxDepth: 2, maxTotal: 2 } });
  const id = await delegate(deep, 'none', 'wait');
  await speech(deep, id);
  const below = await deep.call('delegate', { agent: 'none', prompt: 'go' }, id);
  expect(await deep.call('wait', { id: below.id, ...long }, id)).toMatchObject({ message: 'go' });
  expect([...deep.delegating]).toEqual([id]);
  expect(await deep.call('list_agents')).toMatchObject({ running: 1, begun: 2, delegates: [{ id }] });
  await expect(delegate(deep, 'none')).rejects.toThrow(/maxTotal/u);
});

test('"delegate" is rejected if no delegates are allowed', async () => {
  const stage = await delegationStage({ faults: ['none'], limits: { maxDepth: 0 } });

  await expect(delegate(stage, 'none')).rejects.toThrow(/the maximum depth of delegates is 0 \(maxDepth\)/u);
  expect(stage.delegates.size).toBe(0);
});

test.each([
  [
    'cancelling the turn of the parent',
    'ignores-term',
    (stage: DelegationStage) => stage.session.turns.cancel(),
  ],
  ['closing the parent', 'none', (stage: DelegationStage) => stage.session.close()],
  ['stopping the agent of the parent', 'none', (stage: DelegationStage) => stage.session.stop()],
])('%s ends all its delegates', async (_how, fault, endIt) => {
  const stage = await delegationStage({ faults: ['none', fault] });
  const turn = stage.session.turns.send([{ type: 'text', text: 'wait' }], { isUnattended: false });
  turn.ended.catch(() => undefined);
  const ids = [await delegate(stage, 'none', 'wait'), await delegate(stage, fault, 'wait')];
  await Promise.all(ids.map((id) => speech(stage, id)));
  const [, ...children] = stage.pids;

  await endIt(stage);

  expect(children.filter(isRunning)).toEqual([]);
  expect(stage.session.subagents.areWorking).toBe(false);
  const state = await stage.state();
  for (const id of ids) {
    expect(subagentOf(state, id)?.work).toMatchObject({ state: 'idle', stopReason: 'cancelled' });
  }
});

test('a question of a delegate that ends with a limit of its parent was answered by no user', async () => {
  const stage = await delegationStage({
    faults: ['subagent background'],
    policy: { approve: { level: 'ask', given: false }, rules: [] },
    interact: { permission: () => new Promise(() => {}) },
  });
  const turn = stage.session.turns.send([{ type: 'text', text: 'wait' }], {
    isUnattended: false,
    limits: { timeoutMs: 3000 },
  });
  const id = await delegate(stage, 'subagent background');
  await stage.event((event) => event.type === 'permission-request' && event.subagent === id);

  expect(await turn.ended).toMatchObject({ stopReason: 'cancelled', reached: 'turn' });

  const expected = { decision: 'cancelled', by: 'nobody', because: { code: 'turn-timeout' } };
  expect(only(stage.events, 'permission')).toMatchObject([{ ...expected, subagent: id }]);
  expect(stage.eventsOf(id).filter(({ type }) => type === 'permission')).toMatchObject([expected]);
  await end(stage, 2);
});

test("the end of the parent's agent ends its delegates", async () => {
  const stage = await delegationStage({ faults: ['none'] });
  const id = await delegate(stage, 'none', 'wait');
  await speech(stage, id);
  const [parent = 0, ...children] = stage.pids;

  process.kill(parent, 'SIGKILL');
  await stage.event((event) => event.type === 'agent-given-up');
  await stage.session.stop();

  expect(children.filter(isRunning)).toEqual([]);
});
