import { createAgent } from '@parley/acp';
import { memoryPair } from '@parley/wire';
import { expect, onTestFinished, test } from 'vitest';
import { connectAgent, openSession, type AgentConnection, type HostEvent } from '../src/index.ts';
import { approve, folder, texts } from './harness.ts';

/** An agent in this process that repeats its prompt. */
async function connectEcho(): Promise<{
  readonly connection: AgentConnection;
  readonly events: readonly HostEvent[];
  readonly leave: () => Promise<void>;
}> {
  const [left, right] = memoryPair();
  const agent = createAgent({
    info: { name: 'echo', version: '1.0.0' },
    handlers: {
      'session/new': () => ({ sessionId: 'session-1' }),
      'session/prompt': async ({ prompt }, { update, signal }) => {
        const [block] = prompt;
        if (block !== undefined) await update({ sessionUpdate: 'agent_message_chunk', content: block });
        if (block?.type === 'text' && block.text === 'wait') {
          await new Promise((resolve) => {
            signal.addEventListener('abort', resolve);
          });
        }
        return { stopReason: 'end_turn' };
      },
    },
  }).connect(right);
  const events: HostEvent[] = [];
  const connection = await connectAgent({
    transport: left,
    name: 'echo',
    clientInfo: { name: 'test', version: '1.0.0' },
    policy: approve('reads'),
    onEvent: (event) => {
      events.push(event);
    },
  });
  onTestFinished(async () => {
    await connection.end();
    await agent.close();
  });
  return { connection, events, leave: () => agent.close() };
}

test('an agent in this process works like any other', async () => {
  const { connection, events } = await connectEcho();
  const session = await openSession(connection, { cwd: await folder() });

  const result = await session.prompt([{ type: 'text', text: 'hello' }]);

  expect(result).toEqual({ stopReason: 'end_turn', response: expect.anything() as unknown });
  expect(texts(events)).toEqual(['hello']);
  expect(connection.info).toMatchObject({ name: 'echo' });
  expect(connection.protocolVersion).toBe(1);
  expect(connection.stderrTail()).toBe('');
});

test('a connection that closes during a turn counts as the end of the agent', async () => {
  const { connection, leave } = await connectEcho();
  const session = await openSession(connection, { cwd: await folder() });

  const turn = session.prompt([{ type: 'text', text: 'wait' }]);
  await leave();

  await expect(turn).rejects.toMatchObject({
    code: 'agent-exited',
    message: expect.stringContaining('"echo"'),
  });
  await expect(connection.exited).resolves.toEqual({ exitCode: null, signal: null });
});

test('ending an agent without a process ends its connection', async () => {
  const { connection } = await connectEcho();

  await expect(connection.end()).resolves.toEqual({ exitCode: null, signal: null });

  await expect(openSession(connection, { cwd: await folder() })).rejects.toMatchObject({ code: 'closed' });
});
