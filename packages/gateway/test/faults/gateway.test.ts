import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { createAapClient, messageText, type AapClient } from '@parley/aap';
import { expect, onTestFinished, test } from 'vitest';
import { folder } from '../scripted-agent.ts';

interface RunningGateway {
  readonly client: AapClient;
  kill(): Promise<void>;
}

/** A gateway in a process of its own, which may be killed. */
async function startGateway(home: string, limit = ''): Promise<RunningGateway> {
  const fixture = path.join(
    process.env['PARLEY_TEST_PROGRAMS'] ?? '',
    'gateway/test/faults/gateway.fixture.js',
  );
  const line = `${limit} exec "$0" "$1" "$2"`;
  const child = spawn('bash', ['-c', line, process.execPath, fixture, home], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'close');
    child.kill('SIGKILL');
    await gone;
  };
  onTestFinished(kill);
  for await (const said of createInterface({ input: child.stdout })) {
    const { url, token }: { readonly url: string; readonly token: string } = JSON.parse(said);
    return { client: createAapClient({ baseUrl: url, apiKey: token }), kill };
  }
  throw new Error('the gateway did not begin');
}

async function historyText(client: AapClient, sessionId: string): Promise<string> {
  const history = await client.getHistory(sessionId, 'full');
  return history.map((message) => ('content' in message ? messageText(message) : '')).join('\n');
}

test('a killed gateway has stored everything it displayed, and runs nothing twice', async () => {
  const home = await folder();
  const file = path.join(home, 'made');
  const first = await startGateway(home);
  const { sessionId } = await first.client.createSession({
    agent: { name: 'parley', tools: [{ name: 'execute' }] },
  });
  const asked = await first.client.streamTurn(sessionId, {
    stream: 'delta',
    messages: [{ role: 'user', content: `run echo once >> ${file}\nrepeat 100000: say: tick.` }],
  });
  let callId = '';
  for await (const event of asked) if (event.event === 'tool_call') callId = event.toolCallId;
  const going = await first.client.streamTurn(sessionId, {
    stream: 'delta',
    messages: [{ role: 'tool_permission', toolCallId: callId, granted: true }],
  });
  let shown = '';
  for await (const event of going) {
    if (event.event === 'text_delta') shown += event.delta;
    if (shown.length > 2000) break;
  }
  await first.kill();

  const second = await startGateway(home);
  const turns = await second.client.getTurns(sessionId);
  const kept = await historyText(second.client, sessionId);
  const next = await second.client.postTurn(sessionId, { messages: [{ role: 'user', content: 'say: on' }] });

  expect(await readFile(file, 'utf8')).toBe('once\n');
  expect(kept).toContain(shown);
  expect(turns.map(({ status }) => status)).toEqual(['stopped', 'stopped']);
  expect(turns.find(({ turnId }) => turnId === going.turnId)).toMatchObject({
    stopReason: 'error',
    detail: 'interrupted',
  });
  await expect(
    second.client.postTurn(sessionId, {
      messages: [{ role: 'tool_permission', toolCallId: callId, granted: true }],
    }),
  ).rejects.toMatchObject({ status: 409 });
  expect(next.stopReason).toBe('end_turn');
  expect(await readFile(file, 'utf8')).toBe('once\n');
});

test('a call that waited when the gateway was killed can be answered after the restart, once', async () => {
  const home = await folder();
  const file = path.join(home, 'made');
  const first = await startGateway(home);
  const { sessionId } = await first.client.createSession({
    agent: { name: 'parley', tools: [{ name: 'execute' }] },
  });
  const { messages, stopReason } = await first.client.postTurn(sessionId, {
    messages: [{ role: 'user', content: `run echo once >> ${file}` }],
  });
  await first.kill();
  const last = messages.at(-1);
  const blocks = last?.role === 'assistant' && typeof last.content !== 'string' ? last.content : [];
  const call = blocks.find((block) => block.type === 'tool_use');
  const toolCallId = call?.type === 'tool_use' ? call.toolCallId : '';
  const answer = { messages: [{ role: 'tool_permission', toolCallId, granted: true }] } as const;

  const second = await startGateway(home);
  const answered = await second.client.postTurn(sessionId, answer);

  expect(stopReason).toBe('tool_use');
  expect(answered.stopReason).toBe('end_turn');
  await expect(second.client.postTurn(sessionId, answer)).rejects.toMatchObject({ status: 409 });
  // The offline model does not resume the unfinished action; another model may, once.
  const made = await readFile(file, 'utf8').catch(() => '');
  expect(['', 'once\n']).toContain(made);
});

test.runIf(process.platform === 'linux')(
  'a full disk ends the turn, loses nothing that was shown, and hangs no client',
  async () => {
    const home = await folder();
    const { client } = await startGateway(home, 'trap "" XFSZ; ulimit -f 100;');
    const { sessionId } = await client.createSession({ agent: { name: 'parley' } });
    const stream = await client.streamTurn(sessionId, {
      stream: 'delta',
      messages: [{ role: 'user', content: 'repeat 100000: say: tick.' }],
    });
    let shown = '';
    let stop: unknown;
    for await (const event of stream) {
      if (event.event === 'text_delta') shown += event.delta;
      if (event.event === 'turn_stop') stop = event;
    }

    expect(shown.length).toBeGreaterThan(1000);
    expect(stop).toMatchObject({ stopReason: 'error' });
    await expect.poll(() => historyText(client, sessionId)).toContain(shown);
    const other = await client.createSession({ agent: { name: 'parley' } });
    const said = await client.postTurn(other.sessionId, { messages: [{ role: 'user', content: 'say: on' }] });
    expect(said.stopReason).toBe('end_turn');
  },
);
