import { subagentAgent } from '@parley/conformance';
import { RpcError } from '@parley/wire';
import { describe, expect, test } from 'vitest';
import type { AgentSession, HostEvent, Interact } from '../src/index.ts';
import { toLoggedEntry } from '../src/index.ts';
import { emptyState, reduce, subagentOf, values, type SessionState } from '../src/state/index.ts';
import { codes, folder, only, open as openFixture } from './harness.ts';
import { connectRaw, type Answers, type RawAgent } from './raw-agent.ts';

const yes = { optionId: 'y', name: 'Allow', kind: 'allow_once' };
const no = { optionId: 'n', name: 'Reject', kind: 'reject_once' };
const options = [yes, no];
const running = { state: 'running' };
const idle = { state: 'idle', stopReason: 'end_turn' };

interface Parent extends RawAgent {
  readonly session: AgentSession;
  /** Sends an update of a session. */
  update(sessionId: string, update: object): Promise<void>;
  announce(sessionId: string, fields?: object, parent?: string): Promise<void>;
  say(sessionId: string, text: string): Promise<void>;
  ask(sessionId: string, toolCall?: object): Promise<unknown>;
  /** Settles when all that the agent sent so far was handled. */
  settled(): Promise<void>;
  state(): SessionState;
}

async function openParent(
  answers: Answers = {},
  setup: Parameters<typeof connectRaw>[1] = {},
): Promise<Parent> {
  const raw = await connectRaw({ 'session/prompt': () => ({ stopReason: 'end_turn' }), ...answers }, setup);
  const session = await raw.connection.openSession({ cwd: await folder() });
  return { ...raw, session, ...actsOf(raw) };
}

function actsOf({ agent, events }: RawAgent): Omit<Parent, keyof RawAgent | 'session'> {
  const update = (sessionId: string, value: object): Promise<void> =>
    agent.notify('session/update', { sessionId, update: value });
  const ask = (sessionId: string, toolCall: object = {}): Promise<unknown> =>
    agent.request('session/request_permission', {
      sessionId,
      toolCall: { toolCallId: 't', title: 'Run the tests', kind: 'execute', ...toolCall },
      options,
    });
  return {
    update,
    announce: (sessionId, fields = {}, parent = 'session-1') =>
      update(parent, { sessionUpdate: 'subagent_update', sessionId, ...fields }),
    say: (sessionId, text) =>
      update(sessionId, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } }),
    ask,
    settled: async () => {
      await agent.request('terminal/output', { sessionId: 'session-1', terminalId: 'none' }).catch(() => {});
    },
    state: () => stateOf(events),
  };
}

function stateOf(events: readonly HostEvent[]): SessionState {
  let state = emptyState;
  for (const event of events) {
    const entry = toLoggedEntry(event);
    if (entry !== undefined) state = reduce(state, { ...entry, seq: state.seq + 1, time: 1000 + state.seq });
  }
  return state;
}

function wordsOf(state: SessionState | undefined): string {
  if (state === undefined) return '';
  return [...values(state.items)]
    .flatMap((item) => (item.kind === 'message' || item.kind === 'session-message' ? item.blocks : []))
    .map((block) => (block.type === 'text' ? block.text : ''))
    .join('|');
}

function cancelled(parent: RawAgent): readonly unknown[] {
  return parent.received
    .filter(({ method }) => method === 'session/cancel')
    .map(({ params }) => (params as { readonly sessionId: string }).sessionId);
}

test('1.1 the client declares that it shows sub-agents', async () => {
  const { received } = await openParent();
  expect(received[0]).toMatchObject({ params: { clientCapabilities: { subagents: {} } } });
});

describe('1.2 announcements and patches', () => {
  test('absent fields stay, null clears, a value replaces the whole', async () => {
    const parent = await openParent();
    await parent.announce('kid', { title: 'Test detective', description: 'Finds it', state: running });
    await parent.announce('kid', { description: null, cwd: '/elsewhere', additionalDirectories: [] });
    await parent.settled();
    const kid = subagentOf(parent.state(), 'kid');
    expect(kid).toMatchObject({
      title: 'Test detective',
      cwd: '/elsewhere',
      additionalDirectories: [],
      work: { state: 'running' },
    });
    expect(kid).not.toHaveProperty('description');
    expect(kid).not.toHaveProperty('parentId');
    await parent.announce('kid', { state: null, additionalDirectories: null });
    await parent.settled();
    expect(subagentOf(parent.state(), 'kid')).toMatchObject({ work: { state: 'unknown' } });
    expect(subagentOf(parent.state(), 'kid')).not.toHaveProperty('additionalDirectories');
  });

  test('a session that announces itself, an ancestor or another child is ignored, with a diagnostic', async () => {
    const parent = await openParent();
    await parent.announce('kid');
    await parent.announce('session-1');
    await parent.announce('grandchild', {}, 'kid');
    await parent.announce('kid', {}, 'grandchild');
    await parent.announce('session-1', {}, 'grandchild');
    await parent.announce('grandchild', { title: 'stolen' });
    await parent.announce('other', {}, 'stranger');
    await parent.settled();
    const state = parent.state();
    expect([...values(state.subagents)].map(({ sessionId, parentId }) => [sessionId, parentId])).toEqual([
      ['kid', undefined],
      ['grandchild', 'kid'],
    ]);
    expect(subagentOf(state, 'grandchild')).not.toHaveProperty('title');
    expect(codes(parent.events).filter((code) => code === 'ignored-notification')).toHaveLength(5);
    await expect(parent.ask('other')).rejects.toMatchObject({ code: -32002 });
  });

  test('a child cannot read the folders that it announces', async () => {
    const parent = await openParent();
    const outside = await folder();
    await parent.announce('kid', { cwd: outside, additionalDirectories: [outside] });
    const read = parent.agent.request('fs/read_text_file', { sessionId: 'kid', path: `${outside}/a.txt` });
    await expect(read).rejects.toBeInstanceOf(RpcError);
    await expect(read).rejects.toThrow(/outside/u);
  });
});

test('1.3 a child may become idle and work again; an unknown state is passed on unchanged', async () => {
  const parent = await openParent();
  await parent.announce('kid', { state: running });
  await parent.announce('kid', {
    state: { state: 'idle', stopReason: 'error', error: { code: -32603, message: 'it broke' }, usage: null },
  });
  await parent.settled();
  expect(subagentOf(parent.state(), 'kid')?.work).toMatchObject({
    state: 'idle',
    stopReason: 'error',
    error: { code: -32603, message: 'it broke' },
  });
  expect(parent.session.hasWorkingSubagents).toBe(false);
  await parent.announce('kid', { state: { state: '_dreaming' } });
  await parent.settled();
  expect(subagentOf(parent.state(), 'kid')?.work.state).toBe('_dreaming');
  await parent.announce('kid', { state: { state: 'requires_action' } });
  await parent.settled();
  expect(parent.session.hasWorkingSubagents).toBe(true);
});

test('1.4 messages between sessions are upserts in the transcript of the outer session', async () => {
  const parent = await openParent();
  await parent.announce('kid');
  const prompt = { type: 'text', text: 'Find the flaky test.' };
  const sent = { sessionUpdate: 'session_message', messageId: 'm7', senderSessionId: 'session-1' };
  await parent.update('session-1', { ...sent, recipientSessionId: 'kid', content: [prompt] });
  await parent.update('kid', {
    sessionUpdate: 'session_message_chunk',
    messageId: 'm7',
    content: { type: 'text', text: 'Find' },
  });
  await parent.update('kid', { ...sent, recipientSessionId: 'kid', content: [prompt] });
  await parent.update('kid', {
    sessionUpdate: 'session_message_chunk',
    messageId: 'm7',
    content: { type: 'text', text: ' Look at CI too.' },
  });
  await parent.settled();
  const state = parent.state();
  expect(wordsOf(state)).toBe('Find the flaky test.');
  expect(wordsOf(subagentOf(state, 'kid')?.conversation)).toBe('Find the flaky test. Look at CI too.');
  await parent.update('kid', { ...sent, senderSessionId: null, content: null });
  await parent.settled();
  const items = [...values(subagentOf(parent.state(), 'kid')?.conversation.items ?? state.items)];
  expect(items).toMatchObject([{ kind: 'session-message', recipient: 'kid', blocks: [] }]);
  expect(items[0]).not.toHaveProperty('sender');
});

test('1.5 a tool call that links a session is shown, and announces nothing', async () => {
  const parent = await openParent();
  const link = { type: 'session', sessionId: 'ghost' };
  const call = { sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Delegate', content: [link] };
  await parent.update('session-1', call);
  await parent.settled();
  expect([...values(parent.state().items)]).toMatchObject([{ kind: 'tool-call', call: { content: [link] } }]);
  await expect(parent.ask('ghost')).rejects.toMatchObject({ code: -32002 });
});

describe('1.6 cancelling', () => {
  test('the session and each child that allows it now are cancelled, and no other', async () => {
    let end: (result: object) => void = () => {};
    const prompt = (): Promise<object> =>
      new Promise((resolve) => {
        end = resolve;
      });
    const permission = (): Promise<never> => new Promise(() => {});
    const parent = await openParent({ 'session/prompt': prompt }, { interact: { permission } });
    const turn = parent.session.prompt([{ type: 'text', text: 'go' }]);
    await parent.heard('session/prompt');
    const cancel = { capabilities: { cancel: {} }, state: running };
    await parent.announce('kid', cancel);
    await parent.announce('grandchild', cancel, 'kid');
    await parent.announce('fixed', { capabilities: {}, state: running });
    await parent.announce('changed', cancel);
    await parent.announce('changed', { capabilities: { cancel: null } });
    const open = parent.ask('fixed');
    await parent.settled();
    const done = parent.session.cancel();
    await expect(open).resolves.toMatchObject({ outcome: { outcome: 'cancelled' } });
    expect(cancelled(parent)).toEqual(['session-1', 'kid', 'grandchild']);
    await expect(parent.ask('kid')).resolves.toMatchObject({ outcome: { outcome: 'cancelled' } });
    await expect(
      parent.agent.request('elicitation/create', {
        sessionId: 'kid',
        mode: 'form',
        message: 'Which?',
        requestedSchema: { type: 'object', properties: {} },
      }),
    ).resolves.toMatchObject({ action: 'cancel' });
    end({ stopReason: 'cancelled' });
    await done;
    await turn;
    await expect(parent.ask('fixed')).resolves.toMatchObject({ outcome: { outcome: 'cancelled' } });
    const next = parent.session.prompt([{ type: 'text', text: 'on' }]);
    await expect(parent.ask('fixed', { kind: 'read' })).resolves.toMatchObject({
      outcome: { outcome: 'selected' },
    });
    end({ stopReason: 'end_turn' });
    await next;
  });

  test('children that work when the turn has ended are cancelled too', async () => {
    const parent = await openParent();
    await parent.session.prompt([{ type: 'text', text: 'go' }]);
    await parent.announce('kid', { capabilities: { cancel: {} }, state: running });
    await parent.settled();
    const settled = parent.session.subagentsSettled();
    await parent.session.cancel();
    await parent.heard('session/cancel');
    expect(cancelled(parent)).toEqual(['session-1', 'kid']);
    await parent.announce('kid', { state: { state: 'idle', stopReason: 'cancelled' } });
    await settled;
    expect(parent.session.hasWorkingSubagents).toBe(false);
  });

  test.each([{ state: 'unknown' }, { state: '_busy' }, null])(
    'a child in the state %j is cancelled between turns, once',
    async (state) => {
      const parent = await openParent();
      await parent.announce('kid', { capabilities: { cancel: {} }, state });
      await parent.settled();
      expect(parent.session.hasWorkingSubagents).toBe(false);
      expect(parent.session.mayCancelSubagents).toBe(true);
      await parent.session.cancel();
      await parent.session.cancel();
      await parent.settled();
      expect(cancelled(parent)).toEqual(['session-1', 'kid']);
      expect(parent.session.mayCancelSubagents).toBe(false);
    },
  );

  test('an idle child is not cancelled between turns, regardless of its capabilities', async () => {
    const parent = await openParent();
    await parent.announce('kid', { capabilities: { cancel: {} }, state: idle });
    await parent.settled();
    await parent.session.cancel();
    await parent.settled();
    expect(parent.session.mayCancelSubagents).toBe(false);
    expect(cancelled(parent)).toEqual([]);
  });

  test('one child is cancelled by itself, and nothing else is ever sent for it', async () => {
    const parent = await openParent();
    await parent.announce('kid', { capabilities: { cancel: {} }, state: running });
    await parent.announce('other', { state: running });
    await parent.settled();
    parent.session.cancelSubagent('kid');
    await parent.heard('session/cancel');
    expect(cancelled(parent)).toEqual(['kid']);
    await expect(parent.ask('kid')).resolves.toMatchObject({ outcome: { outcome: 'cancelled' } });
    await expect(parent.ask('other')).resolves.toMatchObject({ outcome: { outcome: 'selected' } });
    expect(() => parent.session.cancelSubagent('other')).toThrow(/does not allow/u);
    const prompt = { sessionId: 'kid', prompt: [{ type: 'text', text: 'more' } as const] };
    await expect(parent.connection.agent.request('session/prompt', prompt)).rejects.toMatchObject({
      code: 'not-supported',
    });
  });
});

test('requests below a cancelled sub-agent are answered "cancelled", and still cancelled with the session', async () => {
  const permission = (): Promise<never> => new Promise(() => {});
  const parent = await openParent({}, { interact: { permission } });
  const cancel = { capabilities: { cancel: {} }, state: running };
  await parent.announce('kid', cancel);
  await parent.announce('grandchild', cancel, 'kid');
  await parent.announce('sibling', { state: running });
  const open = parent.ask('grandchild');
  let isSiblingAnswered = false;
  void parent.ask('sibling').finally(() => (isSiblingAnswered = true));
  await parent.settled();
  parent.session.cancelSubagent('kid');
  await expect(open).resolves.toMatchObject({ outcome: { outcome: 'cancelled' } });
  await expect(parent.ask('grandchild')).resolves.toMatchObject({ outcome: { outcome: 'cancelled' } });
  await parent.announce('late', cancel, 'kid');
  await expect(parent.ask('late')).resolves.toMatchObject({ outcome: { outcome: 'cancelled' } });
  expect([cancelled(parent), isSiblingAnswered]).toEqual([['kid'], false]);
  await parent.session.cancel();
  await parent.settled();
  expect(cancelled(parent)).toEqual(['kid', 'session-1', 'grandchild', 'late']);
});

test('below a sub-agent that was given work after it was cancelled, requests are answered again', async () => {
  const parent = await openParent();
  const cancel = { capabilities: { cancel: {} }, state: running };
  await parent.announce('kid', cancel);
  await parent.settled();
  parent.session.cancelSubagent('kid');
  await parent.announce('kid', { state: { state: 'idle', stopReason: 'cancelled' } });
  await parent.announce('late', cancel, 'kid');
  await expect(parent.ask('late', { kind: 'read' })).resolves.toMatchObject({
    outcome: { outcome: 'cancelled' },
  });
  await parent.announce('kid', { state: running });
  await expect(parent.ask('late', { kind: 'read' })).resolves.toMatchObject({
    outcome: { outcome: 'selected' },
  });
});

test('open calls of a sub-agent have an unknown outcome when its agent ends', async () => {
  const parent = await openParent();
  await parent.announce('kid', { state: running });
  const call = { sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Search', status: 'in_progress' };
  await parent.update('kid', call);
  await parent.update('kid', { ...call, toolCallId: 'd', status: 'completed' });
  await parent.settled();
  await parent.agent.close();
  await parent.connection.exited;
  await parent.connection.end();
  const kid = subagentOf(parent.state(), 'kid');
  const outcomes = [...values(kid?.conversation.items ?? parent.state().items)].map((item) =>
    item.kind === 'tool-call' ? item.outcome : item.kind,
  );
  expect(outcomes).toEqual(['unknown', undefined]);
});

test('1.7 requests of a child are judged by the same rules, and name it', async () => {
  const asked: unknown[] = [];
  const parent = await openParent(
    {},
    {
      interact: {
        permission: (request, { subagent }) => {
          asked.push([request.sessionId, subagent]);
          return Promise.resolve({ kind: 'option', optionId: 'n' });
        },
      },
    },
  );
  await parent.announce('kid', { title: 'Test detective' });
  await expect(parent.ask('kid')).resolves.toMatchObject({ outcome: { optionId: 'n' } });
  await expect(parent.ask('kid', { kind: 'read', toolCallId: 'r' })).resolves.toMatchObject({
    outcome: { outcome: 'selected' },
  });
  expect(asked[0]).toEqual(['kid', { sessionId: 'kid', title: 'Test detective' }]);
  expect(only(parent.events, 'permission')).toMatchObject([
    { sessionId: 'session-1', subagent: 'kid', by: 'person' },
    { subagent: 'kid' },
  ]);
  expect(parent.state().items.length).toBe(1);
});

test('1.7 a form of a child names it, and its answer goes to the child', async () => {
  const asked: unknown[] = [];
  const elicitation: Interact['elicitation'] = (request, { subagent }) => {
    asked.push([request.message, subagent]);
    return Promise.resolve({ action: 'accept', content: { test: 'clock' } });
  };
  const parent = await openParent({}, { interact: { elicitation } });
  await parent.announce('kid', { title: 'Test detective' });
  const requestedSchema = { type: 'object', properties: { test: { type: 'string' } } };
  const form = { sessionId: 'kid', mode: 'form', message: 'Which test?', requestedSchema };
  await expect(parent.agent.request('elicitation/create', form)).resolves.toMatchObject({
    content: { test: 'clock' },
  });
  expect(asked).toEqual([['Which test?', { sessionId: 'kid', title: 'Test detective' }]]);
  expect(parent.state().items.length).toBe(1);
});

test('1.8 messages after an announcement wait for it, also while an earlier update is being handled', async () => {
  let release: () => void = () => {};
  const handled = new Promise<void>((resolve) => {
    release = resolve;
  });
  const parent = await openParent(
    {},
    {
      onEvent: (event) =>
        event.type === 'update' && event.view.sessionUpdate === 'plan' ? handled : undefined,
    },
  );
  await parent.update('session-1', { sessionUpdate: 'plan', entries: [] });
  await parent.announce('kid');
  await parent.say('kid', 'The clock is wrong.');
  const permission = parent.ask('kid');
  release();
  await expect(permission).resolves.toMatchObject({ outcome: { outcome: 'selected' } });
  expect(wordsOf(subagentOf(parent.state(), 'kid')?.conversation)).toBe('The clock is wrong.');
  expect(codes(parent.events)).not.toContain('unknown-session');
});

test('an update of an unknown id is reported, and never shown as the parent’s', async () => {
  const parent = await openParent();
  await parent.say('ghost', 'boo');
  await parent.settled();
  expect(only(parent.events, 'diagnostic')).toMatchObject([
    { code: 'unknown-session', message: expect.stringContaining('ghost') },
  ]);
  expect(only(parent.events, 'update')).toEqual([]);
});

test('1.9 replayed sub-agents are history: they cannot be cancelled until they are announced again', async () => {
  const raw = await connectRaw(
    {
      'session/load': async () => {
        await acts.announce('kid', { title: 'Old', capabilities: { cancel: {} }, state: running }, 'stored');
        await acts.announce('grandchild', { capabilities: { cancel: {} }, state: running }, 'kid');
        await acts.say('kid', 'said before');
        return {};
      },
    },
    { capabilities: { loadSession: true } },
  );
  const acts = actsOf(raw);
  const session = await raw.connection.openSession({ cwd: await folder(), resume: { sessionId: 'stored' } });
  const state = acts.state();
  expect(subagentOf(state, 'kid')).toMatchObject({
    title: 'Old',
    mayCancel: false,
    work: { state: 'unknown' },
  });
  expect(wordsOf(subagentOf(state, 'kid')?.conversation)).toBe('said before');
  expect(session.hasWorkingSubagents).toBe(false);
  for (const id of ['kid', 'grandchild']) expect(() => session.cancelSubagent(id)).toThrow(/does not allow/u);
  await acts.announce('kid', { capabilities: { cancel: {} }, state: running }, 'stored');
  await acts.settled();
  session.cancelSubagent('kid');
  expect(subagentOf(acts.state(), 'kid')).toMatchObject({ title: 'Old', mayCancel: true });
});

test.each(['load', 'resume'] as const)(
  '1.9 after %s, a sub-agent that is announced in one read with the answer works, speaks and can be cancelled',
  async (by) => {
    const [command, ...args] = subagentAgent('resume');
    const { connection, events } = await openFixture('scripted', { command, args });
    const resume = { sessionId: 'stored', by };
    const session = await connection.openSession({ cwd: await folder(), resume });
    // The agent answers behind all that it sent.
    expect(await session.prompt([{ type: 'text', text: 'go' }])).toMatchObject({ stopReason: 'end_turn' });
    expect(wordsOf(subagentOf(stateOf(events), 'kid')?.conversation)).toContain(`here after session/${by}`);
    expect(session.hasWorkingSubagents).toBe(true);
    expect(session.modes?.currentModeId).toBe('code');
    const updates = events.filter((event) => event.type === 'update');
    const behind = updates.filter(({ replay }) => !replay);
    expect(behind.map(({ subagent = 'own', view }) => `${subagent}: ${view.sessionUpdate}`)).toEqual([
      'own: current_mode_update',
      'own: subagent_update',
      'kid: agent_message_chunk',
      'own: agent_message_chunk',
      'own: agent_message_chunk',
    ]);
    expect(updates).toHaveLength(by === 'load' ? 7 : 5);

    session.cancelSubagent('kid');
    await session.subagentsSettled();

    expect(subagentOf(stateOf(events), 'kid')).toMatchObject({
      title: 'kid',
      mayCancel: false,
      work: { state: 'idle', stopReason: 'cancelled' },
    });
  },
);

test('the end of the agent proves nothing about its sub-agents', async () => {
  const parent = await openParent();
  await parent.announce('kid', { capabilities: { cancel: {} }, state: running });
  await parent.settled();
  const settled = parent.session.subagentsSettled();
  await parent.agent.close();
  await settled;
  await parent.connection.exited;
  await parent.connection.end();
  expect(subagentOf(parent.state(), 'kid')).toMatchObject({ mayCancel: false, work: { state: 'unknown' } });
});

test('1,000 children and 100,000 updates stay bounded', async () => {
  const parent = await openParent();
  const kids = Array.from({ length: 1000 }, (_, index) => `kid-${index}`);
  for (const kid of kids) await parent.announce(kid, { state: running });
  for (let round = 0; round < 99; round += 1) {
    for (const kid of kids) await parent.say(kid, 'x');
  }
  for (const kid of kids) await parent.announce(kid, { state: idle });
  await parent.settled();
  expect(parent.session.hasWorkingSubagents).toBe(false);
  const state = parent.state();
  expect(state.subagents.length).toBe(1000);
  expect(wordsOf(subagentOf(state, 'kid-999')?.conversation)).toBe('x'.repeat(99));
  for (let index = 1000; index < 4100; index += 1) await parent.announce(`kid-${index}`);
  await parent.settled();
  expect(parent.state().subagents.length).toBe(4096);
});
