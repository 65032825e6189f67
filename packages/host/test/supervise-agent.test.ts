import { expect, test } from 'vitest';
import { toLoggedEntry, type AgentSession } from '../src/index.ts';
import { emptyState, reduce, values } from '../src/state/index.ts';
import { approve, folder, only, phases, texts } from './harness.ts';
import { superviseMortal, toPrompt, type Mortal, type MortalOptions } from './mortal-agent.ts';

const resumes = { sessionCapabilities: { resume: {} } };
const loads = { loadSession: true };

async function open(options?: MortalOptions): Promise<Mortal & { readonly session: AgentSession }> {
  const mortal = await superviseMortal(options);
  return { ...mortal, session: await mortal.agent.openSession({ cwd: await folder() }) };
}

test('a crashed agent is restarted and its session resumed; the turn is not repeated', async () => {
  const { session, events, requests } = await open({ capabilities: { ...resumes, ...loads } });

  await expect(session.prompt(toPrompt('die'))).rejects.toMatchObject({
    code: 'agent-exited',
    message: expect.stringContaining('the outcome of its running work is unknown'),
    unknownOutcome: ['call-1'],
  });
  await expect(session.prompt(toPrompt('say hello'))).resolves.toMatchObject({ stopReason: 'end_turn' });

  expect(requests).toEqual(['session/new', 'prompt die', 'session/resume', 'prompt say hello']);
  expect(only(events, 'agent-restart')).toMatchObject([{ attempt: 1, attempts: 5, delayMs: 0 }]);
  expect(only(events, 'session-recovered')).toEqual([
    { type: 'session-recovered', sessionId: 'session-1', by: 'resume' },
  ]);
  expect(only(events, 'turn-end')).toMatchObject([
    { error: { code: 'agent-exited' }, unknownOutcome: ['call-1'] },
    { stopReason: 'end_turn' },
  ]);
  expect(phases(events, session.id).join(' ')).toBe(
    'starting ready running closed failed starting ready running ready',
  );
});

test('a session that cannot be resumed is loaded, and replayed events are marked', async () => {
  const refuses = new Set(['session/resume']);
  const { session, events, requests, crash, next } = await open({
    capabilities: { ...resumes, ...loads },
    refuses,
  });
  await session.prompt(toPrompt('say hello'));

  const recovered = next(({ type }) => type === 'session-recovered');
  await crash();

  expect(await recovered).toMatchObject({ sessionId: 'session-1', by: 'load' });
  expect(requests).toEqual(['session/new', 'prompt say hello', 'session/resume', 'session/load']);
  expect(only(events, 'update').map(({ replay }) => replay)).toEqual([false, true]);
  expect(texts(events)).toEqual(['hello', 'hello']);
});

test('after a crash each message is shown once, and the open call has an unknown outcome', async () => {
  const { session, events } = await open({ capabilities: loads });
  await session.prompt(toPrompt('say hello'));
  await session.prompt(toPrompt('die')).catch(() => undefined);
  await session.prompt(toPrompt('say bye'));

  const entries = events.map(toLoggedEntry).filter((entry) => entry !== undefined);
  const view = entries.reduce(
    (before, entry, index) => reduce(before, { ...entry, seq: index + 1, time: 0 }),
    emptyState,
  );

  const items = [...values(view.items)];
  const said = items.flatMap((item) => (item.kind === 'message' && item.role === 'agent' ? item.blocks : []));
  expect(said).toMatchObject([{ text: 'hello' }, { text: 'bye' }]);
  expect(items.filter(({ kind }) => kind === 'tool-call')).toMatchObject([{ outcome: 'unknown' }]);
  expect(view.phase).toBe('ready');
});

test('a session that can be neither resumed nor loaded is replaced by a new one with its settings', async () => {
  const { session, requests, crash, next, events } = await open();
  await session.setMode('b');

  const recovered = next(({ type }) => type === 'session-recovered');
  await crash();
  await recovered;
  await session.prompt(toPrompt('say hello'));

  expect(session.id).toBe('session-2');
  expect(only(events, 'session-recovered')).toMatchObject([
    { sessionId: 'session-1', by: 'new', newSessionId: 'session-2' },
  ]);
  expect(requests).toEqual([
    'session/new',
    'session/set_mode b',
    'session/new',
    'session/set_mode b',
    'prompt say hello',
  ]);
});

test('a session that the agent lost has not failed if a new one replaces it', async () => {
  const { events, crash, next } = await open({ capabilities: loads, refuses: new Set(['session/load']) });

  const recovered = next(({ type }) => type === 'session-recovered');
  await crash();
  await recovered;

  expect(only(events, 'session-recovered')).toMatchObject([{ by: 'new', newSessionId: 'session-2' }]);
  expect(phases(events, 'session-2')).toEqual(['starting', 'ready']);
});

test('renewing an agent restarts it at once, regardless of earlier attempts, and its sessions continue', async () => {
  const cwd = await folder();
  const { agent, events } = await superviseMortal({ restart: { attempts: 0 } });
  const session = await agent.openSession({ cwd });
  const before = agent.connection;

  await agent.renew();

  expect(agent.connection).not.toBe(before);
  expect(await session.prompt(toPrompt('say one'))).toMatchObject({ stopReason: 'end_turn' });
  expect(only(events, 'session-recovered')).toHaveLength(1);
  expect(only(events, 'agent-restart')).toEqual([]);
  await agent.connection.end();
  await expect(session.prompt(toPrompt('say one'))).rejects.toMatchObject({ code: 'agent-exited' });
});

test('all sessions of an agent are opened again', async () => {
  const { session, agent, requests, crash } = await open({ capabilities: resumes });
  const other = await agent.openSession({ cwd: await folder() });

  await crash();
  await Promise.all([session.prompt(toPrompt('say a')), other.prompt(toPrompt('say b'))]);

  expect([session.id, other.id]).toEqual(['session-1', 'session-2']);
  expect(requests.filter((request) => request === 'session/resume')).toHaveLength(2);
});

test('an agent that cannot be restarted fails after the maximum number of attempts', async () => {
  let isBroken = false;
  const { session, agent, events, crash, next, starts } = await open({
    restart: { attempts: 3, delayMs: 0 },
    failStart: () => (isBroken ? new Error('no such program') : undefined),
  });
  isBroken = true;

  const failed = next(({ type }) => type === 'agent-given-up');
  await crash();

  expect(await failed).toMatchObject({ attempts: 3, message: expect.stringContaining('no such program') });
  expect(only(events, 'agent-restart').map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
  expect(starts()).toBe(1);
  expect(agent.state).toBe('failed');
  expect(phases(events, session.id).at(-1)).toBe('failed');
  await expect(session.prompt(toPrompt('say hello'))).rejects.toMatchObject({ code: 'agent-exited' });
});

test('an agent that crashes in each turn fails; one that completes a turn in between is restarted', async () => {
  const { session, agent } = await open({ capabilities: resumes, restart: { attempts: 2, delayMs: 0 } });
  for (let round = 0; round < 4; round += 1) {
    await expect(session.prompt(toPrompt('die'))).rejects.toMatchObject({ code: 'agent-exited' });
    await session.prompt(toPrompt('say alive'));
  }

  for (let round = 0; round < 3; round += 1) await session.prompt(toPrompt('die')).catch(() => undefined);

  await expect(session.prompt(toPrompt('die'))).rejects.toThrow('could not be restarted');
  expect(agent.state).toBe('failed');
});

test('the delay between attempts uses the clock, and ending the agent ends it', async () => {
  const waits: number[] = [];
  let isBroken = false;
  const { agent, crash, next } = await open({
    restart: { delayMs: 1000 },
    clock: {
      now: () => 0,
      after: (ms, run) => {
        waits.push(ms);
        if (waits.length < 3) queueMicrotask(run);
        return () => {};
      },
    },
    failStart: () => (isBroken ? new Error('no') : undefined),
  });
  isBroken = true;

  const fourth = next((event) => event.type === 'agent-restart' && event.attempt === 4);
  await crash();
  await fourth;
  await agent.end();

  expect(waits).toEqual([1000, 2000, 4000]);
  expect(agent.state).toBe('closed');
});

test('an agent that was terminated by a cancelled turn is restarted for the next one', async () => {
  const { session, next, requests } = await open({ capabilities: resumes });
  const call = next(({ type }) => type === 'update');
  const turn = session.prompt(toPrompt('deaf'));
  await call;

  await session.cancel({ graceMs: 0 });

  await expect(turn).resolves.toEqual({ stopReason: 'cancelled', agentEnded: true });
  await expect(session.prompt(toPrompt('say hello'))).resolves.toMatchObject({ stopReason: 'end_turn' });
  expect(requests).toEqual(['session/new', 'prompt deaf', 'session/resume', 'prompt say hello']);
});

test('a prompt that waits for the agent to come back can be cancelled', async () => {
  const { session, crash, requests } = await open({
    restart: { delayMs: 0 },
    clock: { now: () => 0, after: () => () => {} },
  });
  await crash();
  const turn = session.prompt(toPrompt('say never'));

  await session.cancel();

  await expect(turn).resolves.toEqual({ stopReason: 'cancelled' });
  expect(requests).not.toContain('prompt say never');
});

test('a session waits while a question is open', async () => {
  let ask = (_answer: (optionId: string) => void): void => {};
  const asked = new Promise<(optionId: string) => void>((resolve) => {
    ask = resolve;
  });
  const { session, events, next } = await open({
    policy: approve('ask'),
    interact: {
      permission: () => new Promise((resolve) => ask((optionId) => resolve({ kind: 'option', optionId }))),
    },
  });
  const waits = next((event) => event.type === 'permission-request');
  const turn = session.prompt(toPrompt('ask'));
  await waits;
  (await asked)('yes');
  await turn;

  expect(phases(events, session.id).slice(2)).toEqual(['running', 'waiting', 'running', 'ready']);
});

test('after the end nothing is restarted, and waiting calls are rejected', async () => {
  const { session, agent, events, next, starts } = await open();
  const call = next(({ type }) => type === 'update');
  const turn = session.prompt(toPrompt('deaf'));
  await call;

  await agent.end();

  await expect(turn).rejects.toMatchObject({ code: 'closed' });
  await expect(session.prompt(toPrompt('say hello'))).rejects.toMatchObject({ code: 'closed' });
  expect(starts()).toBe(1);
  expect(only(events, 'agent-restart')).toEqual([]);
  expect(phases(events, session.id).at(-1)).toBe('closed');
});
