import { createAapClient, messageText, type AgentInfo } from '@parley/aap';
import { createAapServer, type Run, type RunEnd } from '@parley/aap/server';
import { createClient, type ClientConnection, type ContentBlock, type SessionUpdate } from '@parley/acp';
import { memoryPair } from '@parley/wire';
import { describe, expect, test } from 'vitest';
import type { BringTools, BroughtTool } from '../src/aap-agent/brought-tools.ts';
import { createAapAgent, type AapAgent } from '../src/aap-agent/create-aap-agent.ts';

const info: AgentInfo = {
  name: 'tester',
  title: 'Tester',
  version: '1.2.3',
  tools: [
    { name: 'edit', title: 'Edit', description: 'Edits.', parameters: { type: 'object' } },
    { name: 'deploy', description: 'Deploys.', parameters: { type: 'object' } },
  ],
  options: [
    { type: 'select', name: 'model', title: 'Model', options: ['small', 'large'], default: 'small' },
    { type: 'select', name: 'cwd', options: ['/work', '/other'], default: '/work' },
    { type: 'secret', name: 'apiKey', default: '' },
  ],
  capabilities: {
    history: { full: {} },
    stream: { delta: {}, message: {}, none: {} },
    image: { data: {} },
  },
};

interface Stage {
  readonly proxy: AapAgent;
  readonly agent: ClientConnection['agent'];
  readonly capabilities: unknown;
  readonly updates: readonly SessionUpdate[];
  readonly asked: readonly unknown[];
  prompt(
    sessionId: string,
    prompt: string | readonly ContentBlock[],
  ): Promise<{ readonly stopReason: string }>;
}

/** A client of ACP, the agent that represents an AAP agent, a client of AAP, a server, and an agent that does what the test says. */
async function stage(
  run: (run: Run) => Promise<RunEnd | void>,
  {
    answer = 'allow',
    onUpdate,
    bringTools,
    ...changes
  }: Partial<AgentInfo> & {
    readonly answer?: string;
    readonly bringTools?: BringTools;
    readonly onUpdate?: (update: SessionUpdate, connection: ClientConnection) => void;
  } = {},
): Promise<Stage> {
  const served = { ...info, ...changes };
  const server = createAapServer(
    [{ info: served, run: async (each) => (await run(each)) ?? { stopReason: 'end_turn' } }],
    { limits: { quietMs: 1 } },
  );
  const aap = createAapClient({
    baseUrl: 'http://localhost',
    fetch: (url, init) => server.handle(new Request(url, init)),
  });
  const updates: SessionUpdate[] = [];
  const asked: unknown[] = [];
  const [near, far] = memoryPair();
  const proxy = createAapAgent(aap, served, {
    directory: '/work',
    ...(bringTools !== undefined && { bringTools }),
  });
  proxy.connect(far);
  const connection = createClient({
    info: { name: 'test', version: '1.0.0' },
    handlers: {
      'session/update'({ update }) {
        updates.push(update);
        onUpdate?.(update, connection);
      },
      'session/request_permission'({ toolCall, options }) {
        asked.push({ toolCall, options: options.map(({ optionId }) => optionId) });
        return { outcome: { outcome: 'selected', optionId: answer } };
      },
    },
  }).connect(near);
  const { agentCapabilities, agentInfo } = await connection.initialize();
  return {
    proxy,
    agent: connection.agent,
    capabilities: { agentCapabilities, agentInfo },
    updates,
    asked,
    prompt: (sessionId, prompt) =>
      connection.agent.request('session/prompt', {
        sessionId,
        prompt: typeof prompt === 'string' ? [{ type: 'text', text: prompt }] : prompt,
      }),
  };
}

const setup = { cwd: '/work', mcpServers: [] };

/** Updates in short. */
function inShort(updates: readonly SessionUpdate[]): readonly string[] {
  return updates.map((update) => {
    switch (update.sessionUpdate) {
      case 'user_message_chunk':
      case 'agent_message_chunk':
      case 'agent_thought_chunk':
        return `${update.sessionUpdate} ${update.content.type === 'text' ? update.content.text : update.content.type}`;
      case 'tool_call':
      case 'tool_call_update':
        return `${update.sessionUpdate} ${update.toolCallId} ${update.status ?? ''}`;
      default:
        return update.sessionUpdate;
    }
  });
}

/** Edits a file, if it may. */
async function edit(run: Run): Promise<void> {
  await run.thinking('Hm.');
  await run.text('I edit.');
  const { granted } = await run.permission(
    { toolCallId: 'c1', name: 'edit', input: { path: 'a.ts' } },
    { meta: { title: 'Edit a.ts', locations: [{ path: '/work/a.ts' }, { path: 'b.ts' }] } },
  );
  if (granted) {
    const meta = { diffs: [{ path: '/work/a.ts', oldText: '1', newText: '2' }] };
    await run.toolResult({ toolCallId: 'c1', content: 'Edited.' }, { meta });
  }
}

describe('an AAP agent as an ACP agent', () => {
  test("reports the server's information as its own", async () => {
    const { capabilities } = await stage(async () => undefined);
    expect(capabilities).toMatchObject({
      agentInfo: { name: 'tester', title: 'Tester', version: '1.2.3' },
      agentCapabilities: { loadSession: true, promptCapabilities: { image: true } },
    });
  });

  test('asks for permission for a call, and reports its result', async () => {
    const { agent, prompt, updates, asked } = await stage(edit);
    const { sessionId } = await agent.request('session/new', setup);
    expect(await prompt(sessionId, 'Go.')).toMatchObject({ stopReason: 'end_turn' });
    expect(inShort(updates)).toEqual([
      'agent_thought_chunk Hm.',
      'agent_message_chunk I edit.',
      'tool_call c1 pending',
      'tool_call_update c1 in_progress',
      'tool_call_update c1 completed',
    ]);
    expect(asked).toEqual([
      {
        toolCall: expect.objectContaining({
          toolCallId: 'c1',
          title: 'Edit a.ts',
          kind: 'edit',
          rawInput: { path: 'a.ts' },
          locations: [{ path: '/work/a.ts' }],
        }),
        options: ['allow', 'allow-always', 'reject'],
      },
    ]);
    expect(updates.at(-1)).toMatchObject({
      content: [
        { type: 'content', content: { type: 'text', text: 'Edited.' } },
        { type: 'diff', path: '/work/a.ts', oldText: '1', newText: '2' },
      ],
    });
  });

  test.for(['delta', 'message', 'none'] as const)(
    'works with an agent that has the mode %s only',
    async (mode) => {
      const { agent, prompt, updates } = await stage(edit, {
        capabilities: { ...info.capabilities, stream: { [mode]: {} } },
      });
      const { sessionId } = await agent.request('session/new', setup);
      expect(await prompt(sessionId, 'Go.')).toMatchObject({ stopReason: 'end_turn' });
      expect(inShort(updates)).toEqual([
        'agent_thought_chunk Hm.',
        'agent_message_chunk I edit.',
        'tool_call c1 pending',
        'tool_call_update c1 in_progress',
        'tool_call_update c1 completed',
      ]);
    },
  );

  test('a call that is rejected has failed', async () => {
    const { agent, prompt, updates } = await stage(edit, { answer: 'reject' });
    const { sessionId } = await agent.request('session/new', setup);
    await prompt(sessionId, 'Go.');
    expect(inShort(updates)).toEqual([
      'agent_thought_chunk Hm.',
      'agent_message_chunk I edit.',
      'tool_call c1 pending',
      'tool_call_update c1 failed',
      'tool_call_update c1 failed',
    ]);
    expect(updates.at(-1)).toMatchObject({
      content: [{ type: 'content', content: { type: 'text', text: 'Tool call denied' } }],
    });
  });

  test('a tool that is always allowed is asked about once', async () => {
    let calls = 0;
    const { agent, prompt, asked } = await stage(
      async (run) => {
        const call = { toolCallId: `d${++calls}`, name: 'deploy', input: {} };
        const { granted } = await run.permission(call);
        if (granted) await run.toolResult({ toolCallId: call.toolCallId, content: '' });
      },
      { answer: 'allow-always' },
    );
    const { sessionId } = await agent.request('session/new', setup);
    await prompt(sessionId, 'Go.');
    await prompt(sessionId, 'Again.');
    expect(calls).toBe(2);
    expect(asked).toHaveLength(1);
  });

  test('the permission options of an agent behind the server reach the client', async () => {
    const chosen: unknown[] = [];
    const options = [
      { optionId: 'all', name: 'All edits', kind: 'allow_always' },
      { optionId: 'no', name: 'No', kind: 'reject_once' },
    ];
    const { agent, prompt, asked } = await stage(
      async (run) => {
        chosen.push(
          await run.permission({ toolCallId: 'c1', name: 'edit', input: {} }, { meta: { options } }),
        );
      },
      { answer: 'all' },
    );
    const { sessionId } = await agent.request('session/new', setup);
    await prompt(sessionId, 'Go.');
    expect(asked).toMatchObject([{ options: ['all', 'no'] }]);
    expect(chosen).toEqual([{ granted: true, optionId: 'all' }]);
  });

  test('options are config options, including the directory if the agent supports it', async () => {
    const seen: unknown[] = [];
    const { agent, prompt } = await stage(async ({ options }) => void seen.push(options));
    const { sessionId, configOptions } = await agent.request('session/new', { ...setup, cwd: '/other' });
    expect(configOptions).toMatchObject([
      { id: 'model', name: 'Model', category: 'model', currentValue: 'small' },
      { id: 'cwd', currentValue: '/other' },
    ]);
    const changed = { sessionId, configId: 'model', value: 'large' };
    expect(await agent.request('session/set_config_option', changed)).toMatchObject({
      configOptions: [{ id: 'model', currentValue: 'large' }, { id: 'cwd' }],
    });
    await prompt(sessionId, 'Go.');
    expect(seen).toMatchObject([{ model: 'large', cwd: '/other' }]);
    await expect(
      agent.request('session/set_config_option', { ...changed, value: 'huge' }),
    ).rejects.toMatchObject({ code: -32602 });
  });

  test('images are passed on', async () => {
    const seen: unknown[] = [];
    const { agent, prompt } = await stage(async ({ input }) => {
      if (input.role === 'user') seen.push(input.content);
    });
    const { sessionId } = await agent.request('session/new', setup);
    await prompt(sessionId, [
      { type: 'text', text: 'Look.' },
      { type: 'image', mimeType: 'image/png', data: 'AAAA' },
    ]);
    expect(seen).toEqual([
      [
        { type: 'text', text: 'Look.' },
        { type: 'image', url: 'data:image/png;base64,AAAA' },
      ],
    ]);
  });

  test('plans are plans, notices are thoughts if the client has no notices; other events are omitted', async () => {
    const { agent, prompt, updates } = await stage(async (run) => {
      await run.extension('plan', { entries: [{ content: 'Think', priority: 'high', status: 'pending' }] });
      await run.extension('usage', { used: 'much' });
      await run.extension('notice', { severity: 'info', title: 'Slow', description: 'It may take long.' });
      await run.extension('weather', { sky: 'blue' });
    });
    const { sessionId } = await agent.request('session/new', setup);
    await prompt(sessionId, 'Go.');
    expect(updates).toMatchObject([
      { sessionUpdate: 'plan', entries: [{ content: 'Think' }] },
      { sessionUpdate: 'agent_thought_chunk', content: { text: 'Slow. It may take long.' } },
    ]);
  });

  test('a prompt is cancelled at the server, and its calls have failed', async () => {
    const reasons: unknown[] = [];
    const { agent, prompt, updates } = await stage(
      async (run) => {
        await run.toolCall({ toolCallId: 'c1', name: 'edit', input: {} });
        await new Promise((resolve) => run.signal.addEventListener('abort', resolve, { once: true }));
        reasons.push(run.signal.reason);
      },
      {
        onUpdate(update, { agent: peer }) {
          if (update.sessionUpdate === 'tool_call') void peer.notify('session/cancel', { sessionId });
        },
      },
    );
    const { sessionId } = await agent.request('session/new', setup);
    expect(await prompt(sessionId, 'Go.')).toMatchObject({ stopReason: 'cancelled' });
    expect(reasons).toEqual(['cancelled']);
    expect(inShort(updates)).toEqual(['tool_call c1 pending', 'tool_call_update c1 failed']);
  });

  test('stop reasons are reported, and a failed turn is an error with its reason', async () => {
    const { agent, prompt } = await stage(async ({ input }) => {
      if (input.role !== 'user') return undefined;
      const word = messageText(input);
      if (word === 'refusal' || word === 'max_tokens') return { stopReason: word };
      if (word === 'limit') return { stopReason: 'max_tokens', detail: 'max_turn_requests' };
      return { stopReason: 'error', error: { code: 'no_model', message: 'There is no model.' } };
    });
    const { sessionId } = await agent.request('session/new', setup);
    expect(await prompt(sessionId, 'refusal')).toMatchObject({ stopReason: 'refusal' });
    expect(await prompt(sessionId, 'max_tokens')).toMatchObject({ stopReason: 'max_tokens' });
    expect(await prompt(sessionId, 'limit')).toMatchObject({ stopReason: 'max_turn_requests' });
    await expect(prompt(sessionId, 'fail')).rejects.toMatchObject({
      code: -32603,
      message: 'There is no model.',
      data: { code: 'no_model' },
    });
  });

  test('sessions are listed, loaded with their history, and deleted', async () => {
    const { agent, prompt, updates } = await stage(edit);
    const { sessionId } = await agent.request('session/new', setup);
    await prompt(sessionId, 'Go.');
    await agent.request('session/close', { sessionId });
    const { sessions } = await agent.request('session/list', {});
    expect(sessions).toMatchObject([{ sessionId, cwd: '/work', updatedAt: expect.any(String) }]);
    const before = updates.length;
    await agent.request('session/load', { sessionId, ...setup });
    expect(inShort(updates.slice(before))).toEqual([
      'user_message_chunk Go.',
      'agent_thought_chunk Hm.',
      'agent_message_chunk I edit.',
      'tool_call c1 pending',
      'tool_call_update c1 completed',
    ]);
    expect(await prompt(sessionId, 'Again.')).toMatchObject({ stopReason: 'end_turn' });
    await agent.request('session/delete', { sessionId });
    expect(await agent.request('session/list', {})).toMatchObject({ sessions: [] });
    await expect(agent.request('session/load', { sessionId, ...setup })).rejects.toMatchObject({
      code: -32002,
    });
  });

  test('an unknown session is rejected', async () => {
    const { agent } = await stage(async () => undefined);
    await expect(agent.request('session/resume', { ...setup, sessionId: 'none' })).rejects.toMatchObject({
      code: -32002,
      data: { sessionId: 'none' },
    });
  });

  test('a prompt that is cancelled at once does not keep running', async () => {
    const { agent, prompt } = await stage(async (run) => {
      if (run.input.role === 'user' && messageText(run.input) === 'Go on.') return;
      await new Promise((resolve) => run.signal.addEventListener('abort', resolve, { once: true }));
    });
    const { sessionId } = await agent.request('session/new', setup);
    const cancelled = prompt(sessionId, 'Go.');
    await agent.notify('session/cancel', { sessionId });
    expect(await cancelled).toMatchObject({ stopReason: 'cancelled' });
    expect(await prompt(sessionId, 'Go on.')).toMatchObject({ stopReason: 'end_turn' });
  });
});

describe('the MCP servers of a client', () => {
  const capabilities = { ...info.capabilities, application: { tools: {} } };
  const servers = { ...setup, mcpServers: [{ name: 'notes', command: '/bin/notes', args: [], env: [] }] };

  /** Servers with one tool that does what the test says, and what became of them. */
  function notes(add: BroughtTool['call']): { readonly bringTools: BringTools; readonly log: unknown[] } {
    const log: unknown[] = [];
    const tool = {
      name: 'mcp__notes__add',
      title: 'notes: Add',
      description: 'Adds a note.',
      inputSchema: { type: 'object' },
      call: add,
    };
    return {
      log,
      bringTools: (given, { cwd }) => {
        log.push(['open', given.map(({ name }) => name), cwd]);
        return {
          ready: () => Promise.resolve(),
          tools: () => [tool],
          takeNotices: () => [],
          close: () => {
            log.push('close');
            return Promise.resolve();
          },
        };
      },
    };
  }

  const addNote = async (run: Run): Promise<void> => {
    const call = { toolCallId: 't1', name: 'mcp__notes__add', input: { title: 'Harmless', text: 'a' } };
    const result = await run.callClientTool(call);
    await run.text(typeof result === 'string' ? result : JSON.stringify(result));
  };

  test('provide their tools to the agent; each call asks, and is shown', async () => {
    const { bringTools, log } = notes(async (input, { show }) => {
      await show([{ type: 'content', content: { type: 'text', text: 'half' } }]);
      log.push(input);
      const images = [{ mimeType: 'image/png', data: 'AAAA' }];
      return {
        text: 'Added.',
        images,
        content: [{ type: 'content', content: { type: 'text', text: 'All.' } }],
      };
    });
    const {
      agent,
      prompt,
      updates,
      asked,
      capabilities: declared,
      proxy,
    } = await stage(addNote, {
      capabilities,
      bringTools,
    });
    expect(declared).toMatchObject({ agentCapabilities: { mcpCapabilities: { http: true, sse: true } } });
    const { sessionId } = await agent.request('session/new', servers);

    expect(await prompt(sessionId, 'Go.')).toMatchObject({ stopReason: 'end_turn' });

    expect(inShort(updates)).toEqual([
      'tool_call t1 pending',
      'tool_call_update t1 in_progress',
      'tool_call_update t1 in_progress',
      'tool_call_update t1 completed',
      `agent_message_chunk ${JSON.stringify([
        { type: 'text', text: 'Added.' },
        { type: 'image', url: 'data:image/png;base64,AAAA' },
      ])}`,
    ]);
    expect(asked).toMatchObject([
      {
        toolCall: { title: 'notes: Add', kind: 'other', name: 'mcp__notes__add', rawInput: { text: 'a' } },
        options: ['allow', 'allow-always', 'reject'],
      },
    ]);
    await proxy.close();
    expect(log).toEqual([['open', ['notes'], '/work'], { title: 'Harmless', text: 'a' }, 'close']);
  });

  test('do nothing that the client rejects, and report failures', async () => {
    const { bringTools, log } = notes(() => Promise.reject(new Error('the disk is full')));
    const rejecting = await stage(addNote, { capabilities, bringTools, answer: 'reject' });
    const first = await rejecting.agent.request('session/new', servers);
    await rejecting.prompt(first.sessionId, 'Go.');
    expect(inShort(rejecting.updates)).toEqual([
      'tool_call t1 pending',
      'tool_call_update t1 failed',
      'agent_message_chunk Error: the user denied this call',
    ]);

    const failing = await stage(addNote, { capabilities, bringTools });
    const second = await failing.agent.request('session/new', servers);
    await failing.prompt(second.sessionId, 'Go.');
    expect(inShort(failing.updates)).toEqual([
      'tool_call t1 pending',
      'tool_call_update t1 in_progress',
      'tool_call_update t1 failed',
      'agent_message_chunk Error: the disk is full',
    ]);
    await failing.agent.request('session/close', { sessionId: second.sessionId });
    expect(log.filter((entry) => entry === 'close')).toHaveLength(1);
  });

  test('of a resumed session replace the earlier ones', async () => {
    const seen: string[][] = [];
    const { bringTools } = notes(() => Promise.reject(new Error('not called')));
    const { agent, prompt } = await stage(
      async ({ clientTools }) => void seen.push(clientTools.map(({ name }) => name)),
      { capabilities, bringTools },
    );
    const { sessionId } = await agent.request('session/new', servers);
    await prompt(sessionId, 'Go.');
    await prompt(sessionId, 'Go.');
    await agent.request('session/resume', { sessionId, cwd: '/work' });
    await prompt(sessionId, 'Go.');
    await agent.request('session/load', { sessionId, ...servers });
    await prompt(sessionId, 'Go.');
    expect(seen).toEqual([['mcp__notes__add'], ['mcp__notes__add'], [], ['mcp__notes__add']]);
  });

  test('are not started for an agent without tool support, and the client is notified once', async () => {
    const { bringTools, log } = notes(() => Promise.reject(new Error('not called')));
    const { agent, prompt, updates } = await stage((run) => Promise.resolve(run.text('Hm.')), { bringTools });
    const { sessionId } = await agent.request('session/new', servers);
    await prompt(sessionId, 'Go.');
    await prompt(sessionId, 'Go.');
    expect(inShort(updates)).toEqual([
      expect.stringMatching(/^agent_thought_chunk The MCP servers of the client are not used\. /),
      'agent_message_chunk Hm.',
      'agent_message_chunk Hm.',
    ]);
    expect(log).toEqual([]);
  });

  test('are ended if the session cannot be created', async () => {
    const { bringTools, log } = notes(() => Promise.reject(new Error('not called')));
    const { agent } = await stage(addNote, { capabilities, bringTools });
    const load = { sessionId: 'unknown', ...servers };
    await expect(agent.request('session/load', load)).rejects.toMatchObject({ code: -32002 });
    expect(log).toEqual([['open', ['notes'], '/work'], 'close']);
  });
});
