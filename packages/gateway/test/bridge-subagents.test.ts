import { subagentAgent } from '@parley/conformance';
import { filesStore, SharedEventLogs, type AgentSpec, type HostEvent } from '@parley/host';
import { expect, test } from 'vitest';
import { bridge } from './bridge.ts';
import { fakeRun, type FakeRunOptions } from './fake-run.ts';
import { folder } from './scripted-agent.ts';

function specOf(scene: string): AgentSpec {
  const [command, ...args] = subagentAgent(scene);
  return { name: 'scripted', reach: { by: 'command', command, args } };
}

/** What an application receives of a scene. */
async function runScene(
  scene: string,
  options: FakeRunOptions,
): Promise<Pick<ReturnType<typeof fakeRun>, 'of' | 'output'>> {
  const { agent } = await bridge({}, { spec: specOf(scene) });
  const { run, of, output } = fakeRun(options);
  await agent.run(run);
  return { of, output };
}

test('a call of a sub-agent belongs to the session, asks with the title of the sub-agent, and its answer applies to it only', async () => {
  const { of } = await runScene('open', {
    permission: ({ toolCallId }) =>
      toolCallId === 'kid/t1' ? { granted: true } : { granted: false, by: 'application' },
  });
  expect(of('permission')).toMatchObject([
    [
      'permission',
      { toolCallId: 'kid/t1', name: 'execute', input: { title: 'Worker: Run the tests' } },
      { meta: { title: 'Worker: Run the tests' } },
    ],
  ]);
  // That of the sub-agent below it ran without a question.
  expect(of('call')).toMatchObject([['call', { toolCallId: 'grandchild/t0', name: 'other' }, {}]]);
  expect(of('result').map(([, id]) => id)).toContain('grandchild/t0');
});

test('the application can deny calls of a sub-agent, and its messages are not in the answer', async () => {
  const { of } = await runScene('open', { permission: () => ({ granted: false, by: 'application' }) });
  expect(of('permission')).toHaveLength(1);
  expect(of('text').map(([, text]) => text)).toEqual(['hello']);
});

test('a message between sessions is not part of the answer', async () => {
  const { of } = await runScene('messages', {});
  expect(of('text').map(([, text]) => text)).toEqual(['hello']);
  expect(of('call')).toHaveLength(1);
});

test("a form of a sub-agent goes to the application's tool, and its traffic is at most one call of the turn, also after a load", async () => {
  const eventLogs = new SharedEventLogs({ store: filesStore(await folder()), program: 'test 1.0.0' });
  const options = { spec: specOf('whole'), eventLogs, workspaces: [await folder()] };
  const clientTools = [{ name: 'ask_user', description: 'Asks.', parameters: { type: 'object' } }];
  const before = await bridge({}, options);
  const first = fakeRun({ clientTools, callClientTool: () => 'clock' });

  expect(await before.agent.run(first.run)).toEqual({ stopReason: 'end_turn' });

  // Neither its messages, nor those of the one below it, nor announcements.
  expect(first.output.toSorted(([left], [right]) => left.localeCompare(right))).toMatchObject([
    ['call', { toolCallId: 'c1', input: { title: 'Delegate' } }, {}],
    ['client-tool', 'ask_user', { question: 'Which test?' }],
    ['permission', { toolCallId: 'kid/t1', input: { title: 'Worker: Run the tests' } }, {}],
    ['result', 'c1', '', {}],
    ['result', 'kid/t1', expect.any(String), {}],
    ['text', 'hello'],
  ]);
  await before.agent.close();
  const after = await bridge({}, options);
  const second = fakeRun({ clientTools, input: 'wait', state: first.state(), signal: AbortSignal.abort() });
  await after.agent.run(second.run);
  expect(second.of('call')).toEqual([]);
});

test('cancelling a turn cancels the sub-agents at any depth', async () => {
  const events: HostEvent[] = [];
  const stop = new AbortController();
  const { agent } = await bridge(
    {},
    {
      spec: specOf('cancel'),
      onEvent: (event) => {
        events.push(event);
        const isAnnouncement = event.type === 'update' && event.view.sessionUpdate === 'subagent_update';
        if (isAnnouncement && event.view.sessionId === 'grandchild') stop.abort();
      },
    },
  );
  const { run } = fakeRun({ input: 'wait', signal: stop.signal });

  expect(await agent.run(run)).toMatchObject({ detail: 'cancelled' });

  const ended = (): readonly string[] =>
    events.flatMap((event) => {
      if (event.type !== 'update' || event.view.sessionUpdate !== 'subagent_update') return [];
      const { state, sessionId } = event.view;
      return state?.state === 'idle' && state.stopReason === 'cancelled' ? [sessionId] : [];
    });
  await expect.poll(() => ended().toSorted(), { timeout: 120_000 }).toEqual(['grandchild', 'kid']);
});

test('messages of 1,000 sub-agents are not in the answer', async () => {
  const { output } = await runScene('crowd', {});
  expect(output).toEqual([['text', 'hello']]);
});
