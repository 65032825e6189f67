import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionUpdate } from '@parley/acp';
import { describe, expect, test } from 'vitest';
import type { ModelMessage } from '../src/model/model.ts';
import { conversationModel, toolCall } from './conversation-model.ts';
import { type Home, openHome } from './home.ts';
import { isRunning } from './is-running.ts';
import { textWith } from './matchers.ts';
import { isPosix } from './posix.ts';
import { openStage, said, type Stage, type StageOptions, toolUpdates } from './stage.ts';

const subagents = { capabilities: { subagents: {} } } as const;
const say = (text: string) => [{ type: 'text', text }] as const;
const task = (prompt: string, kind?: string) => toolCall('task', { prompt, kind }, prompt);
const never = new Promise<never>(() => undefined);

/** What a client received, with the session that each update is of. */
type Received = readonly (readonly [sessionId: string, update: SessionUpdate])[];

/** A stage that notes the session of each update. */
async function openNoting(
  home: Pick<Home, 'stage'>,
  options: StageOptions,
): Promise<{ readonly stage: Stage; readonly received: Received }> {
  const received: (readonly [string, SessionUpdate])[] = [];
  const stage = await home.stage({
    ...options,
    onUpdate: (update, sessionId) => {
      received.push([sessionId, update]);
      return options.onUpdate?.(update, sessionId);
    },
  });
  return { stage, received };
}

/** The announcements, and what changed since, in order. */
function announced(updates: readonly SessionUpdate[]) {
  return updates.filter((update) => update.sessionUpdate === 'subagent_update');
}

/** The id of each sub-agent, by its title. */
function idOf(updates: readonly SessionUpdate[], title: string): string {
  return announced(updates).find((update) => update.title === title)?.sessionId ?? '';
}

/** What the tools answered the model of the parent last. */
function lastResults(messages: readonly ModelMessage[] | undefined): readonly (readonly [boolean, string])[] {
  const last = messages?.findLast((message) => message.role === 'tool');
  return last?.role === 'tool' ? last.results.map(({ isError, text }) => [isError, text]) : [];
}

/** The last request about a conversation that begins like this. */
function lastRequest(model: ReturnType<typeof conversationModel>, prompt: string) {
  return model.requests.findLast(({ messages: [first] }) => first?.role === 'user' && first.text === prompt);
}

describe('a sub-agent', () => {
  test('is announced before its traffic, has a conversation of its own, and its last message is the result of the call', async () => {
    const model = conversationModel({
      go: [[task('count', 'explore')], say('thanks')],
      count: [[toolCall('list', { path: '.' })], say('There are 0 files.')],
    });
    const { stage, received } = await openNoting({ stage: openStage }, { model, ...subagents });
    await using _stage = stage;
    expect(await stage.prompt('go')).toBe('end_turn');
    const child = idOf(stage.updates, 'count');
    expect(announced(stage.updates)).toEqual([
      {
        sessionUpdate: 'subagent_update',
        sessionId: child,
        title: 'count',
        description: 'Only reads',
        capabilities: { cancel: {} },
        state: { state: 'running' },
      },
      {
        sessionUpdate: 'subagent_update',
        sessionId: child,
        capabilities: null,
        state: { state: 'idle', stopReason: 'end_turn' },
      },
    ]);
    const ofChild = received.flatMap(([id, update]) => (id === child ? [update] : []));
    expect(ofChild.map(({ sessionUpdate }) => sessionUpdate)).toEqual([
      'session_message',
      'tool_call',
      'tool_call_update',
      'tool_call_update',
      'agent_message_chunk',
      'usage_update',
    ]);
    expect(ofChild[0]).toMatchObject({
      senderSessionId: stage.sessionId,
      recipientSessionId: child,
      content: [{ type: 'text', text: 'count' }],
    });
    const first = received.findIndex(([id]) => id === child);
    expect(received.slice(0, first).map(([, { sessionUpdate }]) => sessionUpdate)).toContain(
      'subagent_update',
    );
    const call = received.flatMap(([id, update]) => (id === stage.sessionId ? [update] : []));
    expect(toolUpdates(call).at(0)).toMatchObject({ name: 'task', kind: 'other', title: 'Explore: count' });
    expect(toolUpdates(call).at(-1)).toMatchObject({
      status: 'completed',
      content: [
        { type: 'session', sessionId: child },
        { type: 'content', content: { text: 'There are 0 files.' } },
      ],
      rawOutput: { sessionId: child, stopReason: 'end_turn' },
    });
    expect(lastResults(lastRequest(model, 'go')?.messages)).toEqual([[false, 'There are 0 files.']]);
    expect(lastRequest(model, 'count')?.messages[0]).toEqual({ role: 'user', text: 'count' });
    expect(lastRequest(model, 'count')?.instructions).toContain('You are a sub-agent');
  });

  test('has no task tool; one that explores has only tools that read', async () => {
    const model = conversationModel({
      go: [[task('look', 'explore'), task('do')]],
      look: [[toolCall('write', { path: 'a.txt', text: 'x' })]],
      do: [[task('deeper')]],
    });
    await using stage = await openStage({ model });
    await stage.prompt('go');
    const names = (prompt: string) => lastRequest(model, prompt)?.tools.map(({ name }) => name) ?? [];
    expect(names('go')).toContain('task');
    expect(names('look')).toEqual(['read', 'list', 'glob', 'search', 'plan', 'think', 'ask']);
    expect(names('do')).toContain('write');
    expect(names('do')).not.toContain('task');
    expect(lastResults(lastRequest(model, 'look')?.messages)).toEqual([
      [true, textWith('Unknown tool "write"')],
    ]);
    expect(lastResults(lastRequest(model, 'do')?.messages)).toEqual([
      [true, textWith('Unknown tool "task"')],
    ]);
    expect(stage.permissions).toEqual([]);
  });

  test('may do what the mode of its parent allows now; plan is read-only for it', async () => {
    const model = conversationModel({
      go: [[task('do')], say('end'), [task('do')], say('end')],
      do: [[toolCall('write', { path: 'a.txt', text: 'x' })]],
    });
    await using stage = await openStage({ model });
    const modeIs = (modeId: string) =>
      stage.agent.request('session/set_mode', { sessionId: stage.sessionId, modeId });
    await modeIs('plan');
    await stage.prompt('go');
    expect(lastResults(lastRequest(model, 'do')?.messages)).toEqual([[true, textWith('"read-only"')]]);
    expect(lastRequest(model, 'do')?.tools.map(({ name }) => name)).not.toContain('submit_plan');
    await modeIs('workspace-write');
    await stage.prompt('go');
    expect(lastResults(lastRequest(model, 'do')?.messages)).toEqual([[false, textWith('a.txt')]]);
    expect(stage.permissions).toEqual([]);
  });

  test.each([
    ['confirm', 1],
    ['full-access', 0],
  ])(
    'that explores in the mode %s asks %i times about a file with keys, as its parent would',
    async (modeId, asks) => {
      const model = conversationModel({
        go: [[task('look', 'explore')]],
        look: [[toolCall('read', { path: '.env' })]],
      });
      await using stage = await openStage({ model });
      await writeFile(join(stage.directory, '.env'), 'KEY=1');
      await stage.agent.request('session/set_mode', { sessionId: stage.sessionId, modeId });
      await stage.prompt('go');
      expect(stage.permissions).toHaveLength(asks);
      expect(lastResults(lastRequest(model, 'look')?.messages)).toEqual([[false, textWith('KEY=1')]]);
    },
  );

  test('is held to the rules of its parent, and "always" holds for both', async () => {
    const model = conversationModel({
      go: [[task('do')], [toolCall('write', { path: 'b.txt', text: 'x' })]],
      do: [[toolCall('write', { path: 'a.txt', text: 'x' }), toolCall('read', { path: 'secret' })]],
    });
    await using stage = await openStage({
      model,
      rules: () => Promise.resolve([{ tool: 'read', path: 'secret', decision: 'deny' }]),
      onPermission: () => ({ outcome: 'selected', optionId: 'allow_always' }),
    });
    await writeFile(join(stage.directory, 'secret'), 'x');
    await stage.prompt('go');
    expect(stage.permissions).toHaveLength(1);
    expect(lastResults(lastRequest(model, 'do')?.messages)).toEqual([
      [false, textWith('a.txt')],
      [true, textWith('Not allowed')],
    ]);
  });

  test('asks under its own id, and says so in its state', async () => {
    const model = conversationModel({
      go: [[task('do')]],
      do: [[toolCall('write', { path: 'a.txt', text: 'x' })]],
    });
    await using stage = await openStage({ model, ...subagents });
    await stage.prompt('go');
    const child = idOf(stage.updates, 'do');
    expect(stage.permissions).toMatchObject([{ sessionId: child, toolCall: { name: 'write' } }]);
    expect(announced(stage.updates).map(({ state }) => state?.state)).toEqual([
      'running',
      'requires_action',
      'running',
      'idle',
    ]);
  });

  test('asks the user under its own id', async () => {
    const asked: unknown[] = [];
    await using stage = await openStage({
      capabilities: { ...subagents.capabilities, elicitation: { form: {} } },
      onElicitation: (request) => {
        asked.push(request);
        return { action: 'decline' };
      },
    });
    await stage.prompt('call task {"prompt":"ask: Really?"}');
    const sessionId = idOf(stage.updates, 'ask: Really?');
    expect(asked).toMatchObject([{ sessionId, toolCallId: 'call_1', message: 'Really?' }]);
    expect(announced(stage.updates).map(({ state }) => state?.state)).toContain('requires_action');
  });

  test('reads and writes through the client under its own id', async () => {
    const model = conversationModel({ go: [[task('do')]], do: [[toolCall('read', { path: 'a.txt' })]] });
    const asked: string[] = [];
    await using stage = await openStage({
      model,
      capabilities: { ...subagents.capabilities, fs: { readTextFile: true } },
      handlers: {
        'fs/read_text_file': ({ sessionId }) => {
          asked.push(sessionId);
          return { content: 'unsaved' };
        },
      },
    });
    await writeFile(join(stage.directory, 'a.txt'), 'saved');
    await stage.prompt('go');
    expect(asked).toEqual([idOf(stage.updates, 'do')]);
  });

  test('its cost is part of that of the session, and reported there alone', async () => {
    const used = { type: 'usage', usedTokens: 10, costUsd: 0.5 } as const;
    const model = conversationModel({
      go: [[used, task('do')], [used]],
      do: [[used, { type: 'text', text: 'ok' }]],
    });
    const { stage, received } = await openNoting({ stage: openStage }, { model, ...subagents });
    await using _stage = stage;
    await stage.prompt('go');
    const usage = received.filter(([, { sessionUpdate }]) => sessionUpdate === 'usage_update');
    expect(usage).toEqual([
      [idOf(stage.updates, 'do'), { sessionUpdate: 'usage_update', used: 10, size: 200_000 }],
      [
        stage.sessionId,
        { sessionUpdate: 'usage_update', used: 10, size: 200_000, cost: { amount: 1.5, currency: 'USD' } },
      ],
    ]);
  });
});

describe('several in one response', () => {
  test('work at the same time, as many as the limit says; the answers are in the order of the calls', async () => {
    const prompts = ['one', 'two', 'three'];
    let working = 0;
    let most = 0;
    let both = (): void => undefined;
    const met = new Promise<void>((resolve) => {
      both = resolve;
    });
    const model = conversationModel(
      {
        go: [prompts.map((prompt) => task(prompt)), say('end')],
        one: [say('1')],
        two: [say('2')],
        three: [say('3')],
      },
      async (prompt) => {
        if (prompt === 'go') return;
        working += 1;
        most = Math.max(most, working);
        if (working === 2) both();
        // Each waits for another one: they would wait for ever one by one.
        await met;
        working -= 1;
      },
    );
    await using stage = await openStage({ model, ...subagents, limits: { subagents: 2 } });
    expect(await stage.prompt('go')).toBe('end_turn');
    expect(most).toBe(2);
    expect(lastResults(lastRequest(model, 'go')?.messages)).toEqual([
      [false, '1'],
      [false, '2'],
      [false, '3'],
    ]);
  });

  test('are what the offline model makes of lines that follow each other', async () => {
    await using stage = await openStage({ ...subagents });
    await stage.prompt('call task {"prompt":"say: 1"}\ncall task {"prompt":"say: 2"}\nsay: end');
    const states = announced(stage.updates).map(({ state }) => state?.state);
    expect(states).toEqual(['running', 'running', 'idle', 'idle']);
    expect(said(stage.updates).toSorted()).toEqual(['1', '2', 'end']);
  });

  test('past the number that a session may start are refused', async () => {
    const model = conversationModel({ go: [[task('one'), task('two')]] });
    await using stage = await openStage({ model, limits: { subagentTotal: 1 } });
    await stage.prompt('go');
    expect(lastResults(lastRequest(model, 'go')?.messages)).toEqual([
      [false, 'done'],
      [true, textWith('has started 1 sub-agents')],
    ]);
  });
});

describe('the end of a sub-agent', () => {
  test.each([
    ['its limit of steps', { subagentSteps: 1 }, 'max_turn_requests', 'its limit of 1 steps'],
    ['the length of its response', {}, 'max_tokens', 'maximum number of tokens'],
    ['a refusal of its model', {}, 'refusal', 'refused to continue'],
    ['a failure of its model', {}, 'error', 'The sub-agent failed: it broke'],
  ])('by %s is an answer to the model, with the last message', async (_name, limits, stopReason, reason) => {
    const last = {
      max_turn_requests: [toolCall('list', { path: '.' }, 'second')],
      max_tokens: [{ type: 'stop', reason: 'length' }],
      refusal: [{ type: 'stop', reason: 'refusal' }],
      error: [],
    }[stopReason];
    const model = conversationModel(
      {
        go: [[task('do')], say('end')],
        do: [[...say('so far'), toolCall('list', { path: '.' })], [...(last ?? [])] as never],
      },
      (prompt) => {
        const steps = model.requests.filter(
          ({ messages: [first] }) => first?.role === 'user' && first.text === 'do',
        );
        if (prompt === 'do' && stopReason === 'error' && steps.length === 2) {
          throw Object.assign(new Error('it broke'), { code: 'model-failed' });
        }
      },
    );
    await using stage = await openStage({ model, limits, ...subagents });
    expect(await stage.prompt('go')).toBe('end_turn');
    expect(lastResults(lastRequest(model, 'go')?.messages)).toEqual([[true, textWith(reason)]]);
    expect(lastResults(lastRequest(model, 'go')?.messages)).toEqual([[true, textWith('so far')]]);
    expect(announced(stage.updates).at(-1)).toMatchObject({
      capabilities: null,
      state: { state: 'idle', stopReason },
    });
    expect(toolUpdates(stage.updates).at(-1)).toMatchObject({ status: 'failed', rawOutput: { stopReason } });
  });

  test('a result that is too long is cut to its beginning and end', async () => {
    const model = conversationModel({ go: [[task('do')]], do: [say('x'.repeat(500))] });
    await using stage = await openStage({ model, limits: { subagentResultChars: 100 } });
    await stage.prompt('go');
    const [[, text] = [true, '']] = lastResults(lastRequest(model, 'go')?.messages);
    expect(text).toMatch(/^x{50}\n\[400 characters are left out here\]\nx{50}$/u);
  });

  test('cancelling one stops it alone, and the turn goes on', async () => {
    const model = conversationModel(
      { go: [[task('slow'), task('fast')], say('end')], fast: [say('quick')] },
      async (prompt, signal) => {
        if (prompt === 'slow') await aborted(signal);
      },
    );
    let cancel = (_id: string): void => undefined;
    await using stage = await openStage({
      model,
      ...subagents,
      onUpdate: (update) => {
        if (update.sessionUpdate === 'subagent_update' && update.title === 'slow') cancel(update.sessionId);
      },
    });
    cancel = (id) => void stage.cancel(id);
    expect(await stage.prompt('go')).toBe('end_turn');
    expect(lastResults(lastRequest(model, 'go')?.messages)).toEqual([
      [true, 'The user cancelled this sub-agent.'],
      [false, 'quick'],
    ]);
    const slow = announced(stage.updates).filter(
      ({ sessionId }) => sessionId === idOf(stage.updates, 'slow'),
    );
    expect(slow.at(-1)).toMatchObject({
      capabilities: null,
      state: { state: 'idle', stopReason: 'cancelled' },
    });
  });

  test('cancelling it while it asks withdraws its question, and the turn goes on', async () => {
    const model = conversationModel({
      go: [[task('do')], say('end')],
      do: [[toolCall('write', { path: 'a.txt', text: 'x' })]],
    });
    let cancel = (): void => undefined;
    let withdrawn = false;
    await using stage = await openStage({
      model,
      ...subagents,
      onPermission: (_request, signal) => {
        signal.addEventListener('abort', () => {
          withdrawn = true;
        });
        cancel();
        return never;
      },
    });
    cancel = () => void stage.cancel(idOf(stage.updates, 'do'));
    expect(await stage.prompt('go')).toBe('end_turn');
    expect(withdrawn).toBe(true);
    expect(lastResults(lastRequest(model, 'go')?.messages)).toEqual([[true, textWith('cancelled')]]);
  });

  test('a question that is answered "cancelled" cancels the sub-agent, not the turn', async () => {
    const model = conversationModel({
      go: [[task('do')], say('end')],
      do: [[toolCall('write', { path: 'a.txt', text: 'x' })]],
    });
    await using stage = await openStage({
      model,
      ...subagents,
      onPermission: () => ({ outcome: 'cancelled' }),
    });
    expect(await stage.prompt('go')).toBe('end_turn');
    expect(lastResults(lastRequest(model, 'go')?.messages)).toEqual([[true, textWith('cancelled')]]);
  });

  test('cancelling the parent stops all of them, also those that wait, before the answer', async () => {
    let stop = (): void => undefined;
    const model = conversationModel({ go: [[task('one'), task('two')]] }, async (prompt, signal) => {
      if (prompt === 'go') return;
      stop();
      await aborted(signal);
    });
    await using stage = await openStage({ model, ...subagents, limits: { subagents: 1 } });
    stop = () => void stage.cancel();
    expect(await stage.prompt('go')).toBe('cancelled');
    expect(announced(stage.updates).map(({ state }) => state)).toEqual([
      { state: 'running' },
      { state: 'idle', stopReason: 'cancelled' },
    ]);
    expect(toolUpdates(stage.updates).filter(({ status }) => status === 'failed')).toHaveLength(2);
  });

  test.runIf(isPosix)('ends its commands in the background', async () => {
    const model = conversationModel({
      go: [[task('do')]],
      do: [
        [toolCall('run', { command: 'echo $$ > pid; touch up; exec sleep 600', background: true })],
        [toolCall('run', { command: 'until test -e up; do sleep 0.02; done' })],
        say('started'),
      ],
    });
    await using stage = await openStage({ model });
    await stage.prompt('go');
    expect(isRunning(Number(await readFile(join(stage.directory, 'pid'), 'utf8')))).toBe(false);
  });
});

test('a sub-agent takes no steering, and cancelling it after its end does nothing', async () => {
  const model = conversationModel({ go: [[task('do')]] });
  await using stage = await openStage({ model, ...subagents });
  await stage.prompt('go');
  const sessionId = idOf(stage.updates, 'do');
  const steering = stage.agent.requestExtension('_session/steering', { sessionId, prompt: say('more') });
  await expect(steering).rejects.toMatchObject({ code: -32002 });
  expect(await stage.prompt('still there')).toBe('end_turn');
});

test('a client that does not know sub-agents sees their tool calls as calls of the session, named after them', async () => {
  const model = conversationModel({
    go: [[toolCall('task', { prompt: 'do', title: 'Writer' })], say('end')],
    do: [[...say('I write'), toolCall('write', { path: 'a.txt', text: 'x' })], say('written')],
  });
  const { stage, received } = await openNoting({ stage: openStage }, { model });
  await using _stage = stage;
  expect(await stage.prompt('go')).toBe('end_turn');
  expect(new Set(received.map(([id]) => id))).toEqual(new Set([stage.sessionId]));
  expect(announced(stage.updates)).toEqual([]);
  expect(JSON.stringify(received)).not.toContain('I write');
  expect(JSON.stringify(received)).not.toContain('"type":"session"');
  const calls = toolUpdates(stage.updates);
  expect(calls.flatMap(({ title }) => title ?? [])).toEqual(['Task: Writer', 'Writer: Write a.txt']);
  expect(new Set(calls.map(({ toolCallId }) => toolCallId)).size).toBe(2);
  expect(stage.permissions).toMatchObject([
    { sessionId: stage.sessionId, toolCall: { title: 'Writer: Write a.txt' } },
  ]);
  expect(calls.map(({ toolCallId }) => toolCallId)).toContain(stage.permissions[0]?.toolCall.toolCallId);
  expect(calls.at(-1)).toMatchObject({ content: [{ type: 'content', content: { text: 'written' } }] });
});

describe('a stored session', () => {
  test('shows its sub-agents again when it is loaded, with their old ids', async () => {
    await using home = await openHome();
    const { sessionId, child } = await delegate(home);
    const { stage, received } = await openNoting(home, { first: false, ...subagents });
    await using _stage = stage;
    await stage.agent.request('session/load', stage.at(sessionId));
    expect(idOf(stage.updates, 'do')).toBe(child);
    expect(received.flatMap(([id, { sessionUpdate }]) => (id === child ? [sessionUpdate] : []))).toEqual([
      'session_message',
      'tool_call',
      'tool_call_update',
      'agent_message_chunk',
    ]);
    expect(announced(stage.updates).at(-1)).toMatchObject({
      capabilities: null,
      state: { state: 'idle', stopReason: 'end_turn' },
    });
    expect(JSON.stringify(toolUpdates(stage.updates))).toContain(`{"type":"session","sessionId":"${child}"}`);
  });

  test('shows their tool calls to a client that does not know sub-agents', async () => {
    await using home = await openHome();
    const { sessionId } = await delegate(home);
    await using stage = await home.stage({ first: false });
    await stage.agent.request('session/load', stage.at(sessionId));
    expect(announced(stage.updates)).toEqual([]);
    expect(toolUpdates(stage.updates).flatMap(({ title }) => title ?? [])).toEqual([
      'Task: do',
      'do: List .',
    ]);
  });

  test('whose agent was killed shows them failed, with their open calls, in every later load', async () => {
    await using home = await openHome();
    const { sessionId, child } = await delegate(home);
    const file = join(home.sessions, `${sessionId}.jsonl`);
    const text = await readFile(file, 'utf8');
    // The call of the sub-agent has begun, and nothing came of it.
    await truncate(file, text.indexOf('\n', text.indexOf('"name":"list"')) + 1);
    for (let round = 0; round < 2; round += 1) {
      const { stage, received } = await openNoting(home, { first: false, ...subagents });
      await using _stage = stage;
      await stage.agent.request('session/load', stage.at(sessionId));
      const ended = received.filter(([, update]) => JSON.stringify(update).includes('Interrupted'));
      expect(ended).toMatchObject([
        [sessionId, { sessionUpdate: 'tool_call_update', status: 'failed' }],
        [child, { sessionUpdate: 'tool_call_update', status: 'failed' }],
        [sessionId, { sessionUpdate: 'subagent_update', state: { state: 'idle', stopReason: 'error' } }],
      ]);
    }
  });
});

/** A stored session with one sub-agent, which made one tool call. */
async function delegate(home: Home): Promise<{ readonly sessionId: string; readonly child: string }> {
  const model = conversationModel({
    go: [[task('do')], say('end')],
    do: [[toolCall('list', { path: '.' })], say('listed')],
  });
  await using stage = await home.stage({ model, ...subagents });
  await stage.prompt('go');
  return { sessionId: stage.sessionId, child: idOf(stage.updates, 'do') };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener('abort', () => {
      reject(signal.reason as Error);
    });
  });
}
