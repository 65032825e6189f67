import { expect, test } from 'vitest';
import { bridge } from './bridge.ts';
import { fakeRun } from './fake-run.ts';
import { call, callUpdate, yesOrNo } from './scripted-agent.ts';

const text = (words: string) => ({ type: 'text', text: words }) as const;

test('chunks are text or thoughts; other updates are extensions', async () => {
  const { agent } = await bridge({
    turn: async ({ update, say }) => {
      await update({ sessionUpdate: 'agent_thought_chunk', content: text('Hm') });
      await say('Hel');
      await say('lo');
      await update({
        sessionUpdate: 'plan',
        entries: [{ content: 'Go', priority: 'low', status: 'pending' }],
      });
      await update({
        sessionUpdate: 'agent_message_chunk',
        content: { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      });
      await update({ sessionUpdate: 'usage_update', used: 1, size: 2 });
      await update({ sessionUpdate: 'session_info_update', title: 'A talk' });
      return { stopReason: 'end_turn' };
    },
  });
  const { run, output } = fakeRun();

  expect(await agent.run(run)).toEqual({ stopReason: 'end_turn' });

  expect(output).toEqual([
    ['thinking', 'Hm'],
    ['text', 'Hel'],
    ['text', 'lo'],
    ['plan', { entries: [{ content: 'Go', priority: 'low', status: 'pending' }] }],
    ['image', 'data:image/png;base64,AAAA'],
    ['usage', { used: 1, size: 2 }],
    ['session', { title: 'A talk' }],
  ]);
});

test('a call is sent once, when its input is known, and its result once', async () => {
  const { agent } = await bridge({
    turn: async ({ update }) => {
      await update(call('a', { kind: 'read', rawInput: {}, status: 'pending' }));
      await update(callUpdate('a', { rawInput: { path: '/x' }, title: 'Read /x' }));
      await update(callUpdate('a', { status: 'in_progress' }));
      await update(callUpdate('a', { content: [{ type: 'content', content: text('half') }] }));
      await update(
        callUpdate('a', { status: 'completed', content: [{ type: 'content', content: text('all') }] }),
      );
      await update(callUpdate('a', { status: 'failed' }));
    },
  });
  const { run, output } = fakeRun();

  await agent.run(run);

  expect(output).toEqual([
    [
      'call',
      { toolCallId: 'a', name: 'read', input: { path: '/x' } },
      { meta: { kind: 'read', title: 'Read /x' } },
    ],
    ['tool_progress', { toolCallId: 'a', text: 'half' }],
    ['result', 'a', 'all', {}],
  ]);
});

test.each(['git push', 'git -C . push', 'eval "git push"', '$TOOL push'])(
  'where a rule denies "git push", %j is rejected and the application is not asked',
  async (command) => {
    const answers: unknown[] = [];
    const { agent } = await bridge(
      {
        turn: async ({ client, request }) => {
          const { sessionId } = request;
          const toolCall = { toolCallId: 'a', kind: 'execute', rawInput: { command } } as const;
          answers.push(
            await client.request('session/request_permission', { sessionId, toolCall, options: yesOrNo }),
          );
        },
      },
      { rules: [{ tool: 'execute', commandPrefix: 'git push', decision: 'deny' }] },
    );
    const asked: unknown[] = [];
    const { run } = fakeRun({
      permission: (question) => {
        asked.push(question);
        return { granted: true };
      },
    });

    await agent.run(run);

    expect(answers).toMatchObject([{ outcome: { outcome: 'selected', optionId: 'no' } }]);
    expect(asked).toEqual([]);
  },
);

test('a call that the agent leaves open gets a result that says so', async () => {
  const { agent } = await bridge({
    turn: async ({ update }) => {
      await update(call('a', { title: 'Look', locations: [{ path: '/x' }] }));
    },
  });
  const { run, output } = fakeRun();

  await agent.run(run);

  expect(output).toMatchObject([
    [
      'call',
      { toolCallId: 'a', name: 'other', input: { title: 'Look', locations: [{ path: '/x' }] } },
      { meta: { kind: 'other' } },
    ],
    ['result', 'a', 'The agent sent no result of this call.', { isError: true }],
  ]);
});

test('an approval applies to one call, and a denial settles its call', async () => {
  const outcomes: unknown[] = [];
  const { agent } = await bridge({
    turn: async ({ update, client, request: { sessionId } }) => {
      const ask = async (toolCallId: string, status: 'completed' | 'failed'): Promise<void> => {
        await update(call(toolCallId, { kind: 'edit', rawInput: { path: toolCallId } }));
        const toolCall = { toolCallId };
        const answer = await client.request('session/request_permission', {
          sessionId,
          toolCall,
          options: yesOrNo,
        });
        outcomes.push(answer.outcome);
        await update(callUpdate(toolCallId, { status }));
      };
      await Promise.all([ask('a', 'completed'), ask('b', 'failed'), ask('c', 'completed')]);
    },
  });
  const { run, of } = fakeRun({
    permission: ({ toolCallId }) => {
      if (toolCallId === 'b') return { granted: false, by: 'application' };
      return { granted: true, ...(toolCallId === 'c' && { optionId: 'always' }) };
    },
  });

  await agent.run(run);

  expect(new Set(outcomes)).toEqual(
    new Set([
      { outcome: 'selected', optionId: 'yes' },
      { outcome: 'selected', optionId: 'no' },
      { outcome: 'selected', optionId: 'always' },
    ]),
  );
  expect(of('permission')).toHaveLength(3);
  expect(of('permission')).toContainEqual([
    'permission',
    { toolCallId: 'a', name: 'edit', input: { path: 'a' } },
    { meta: { kind: 'edit', title: 'a', options: yesOrNo } },
  ]);
  expect(of('call')).toEqual([]);
  expect(new Set(of('result').map(([, id]) => id))).toEqual(new Set(['a', 'c']));
});

test.each([
  ['in the same breath', [], ['permission a', 'result a']],
  [
    'when it was sent',
    [{ content: [{ type: 'content', content: { type: 'text', text: 'making' } }] }],
    ['call a', 'tool_progress', 'result a', 'permission a~2', 'result a~2'],
  ],
] as const)('a call that is asked about while it runs, %s', async (_when, progress, expected) => {
  const { agent } = await bridge({
    turn: async ({ update, client, request: { sessionId } }) => {
      await update(call('a', { kind: 'execute', status: 'in_progress', rawInput: { command: 'make' } }));
      for (const more of progress) await update(callUpdate('a', more));
      await client.request('session/request_permission', {
        sessionId,
        toolCall: { toolCallId: 'a', title: 'Without the sandbox' },
        options: yesOrNo,
      });
      await update(callUpdate('a', { status: 'completed', rawOutput: 'made' }));
    },
  });
  const { run, output, of } = fakeRun();

  await agent.run(run);

  const idOf = (what: unknown): string =>
    typeof what === 'string' ? what : (what as { readonly toolCallId: string }).toolCallId;
  expect(output.map(([kind, what]) => (kind === 'tool_progress' ? kind : `${kind} ${idOf(what)}`))).toEqual(
    expected,
  );
  expect(of('permission')).toMatchObject([
    ['permission', { name: 'execute', input: { command: 'make' } }, {}],
  ]);
});

test("a running call is sent before the agent's next message", async () => {
  const { agent } = await bridge({
    turn: async ({ update, say }) => {
      await update(call('a', { status: 'in_progress', rawInput: { what: 'x' } }));
      await say('it runs');
      await update(callUpdate('a', { status: 'completed' }));
    },
  });
  const { run, output } = fakeRun();

  await agent.run(run);

  expect(output.map(([kind]) => kind)).toEqual(['call', 'text', 'result']);
});

test('ids in a session are never reused', async () => {
  const { agent } = await bridge({
    turn: async ({ update }) => {
      await update(call('a', { status: 'completed', rawOutput: 'new' }));
    },
  });
  const used = { type: 'tool_use', toolCallId: 'a', name: 'read', input: {} } as const;
  const { run, of } = fakeRun({ history: [{ role: 'assistant', content: [used] }] });

  await agent.run(run);

  expect(of('result')).toEqual([['result', 'a~2', 'new', {}]]);
});

test.each([
  ['max_tokens', { stopReason: 'max_tokens' }],
  ['refusal', { stopReason: 'refusal' }],
  ['max_turn_requests', { stopReason: 'max_tokens', detail: 'max_turn_requests' }],
] as const)('the stop reason %s', async (stopReason, end) => {
  const { agent } = await bridge({ turn: () => ({ stopReason }) });

  expect(await agent.run(fakeRun().run)).toEqual(end);
});

test('a cancelled run ends as soon as the agent was notified', async () => {
  const cancelled = new AbortController();
  const outcomes: unknown[] = [];
  const { agent } = await bridge({
    turn: async ({ client, request: { sessionId }, signal }) => {
      const asked = client.request('session/request_permission', {
        sessionId,
        toolCall: { toolCallId: 'a' },
        options: yesOrNo,
      });
      outcomes.push((await asked).outcome.outcome, signal.aborted);
    },
  });
  const { run } = fakeRun({
    signal: cancelled.signal,
    permission: () =>
      new Promise((resolve) => {
        cancelled.signal.addEventListener('abort', () => resolve({ granted: false, by: 'cancelled' }));
        cancelled.abort('cancelled');
      }),
  });

  const end = await agent.run(run);
  expect(end).toMatchObject({ stopReason: 'error', detail: 'cancelled' });
  expect(outcomes).toEqual(['cancelled', true]);
});

test('an error of the agent ends the run with the reason', async () => {
  const { agent } = await bridge({
    turn: () => {
      throw new Error('no');
    },
  });

  expect(await agent.run(fakeRun().run)).toMatchObject({
    stopReason: 'error',
    error: { code: 'agent_error', message: expect.stringContaining('-32603') },
  });
});

test('an agent that opens calls endlessly is stopped, and each sent call has a result', async () => {
  const { agent } = await bridge({
    turn: async ({ update, signal }) => {
      for (let n = 0; n < 10_050; n += 1) {
        await update(call(`call-${String(n)}`, { status: 'in_progress', rawInput: { n } }));
      }
      await new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        signal.addEventListener('abort', () => resolve());
      });
    },
  });
  const { run, of } = fakeRun();

  expect(await agent.run(run)).toMatchObject({
    stopReason: 'error',
    error: { code: 'too_many_calls', message: 'the agent has more than 10000 open calls' },
  });

  expect(of('call')).toHaveLength(10_000);
  expect(of('result')).toHaveLength(10_000);
});
