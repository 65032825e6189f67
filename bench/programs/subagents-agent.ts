import { onLines, write } from './lines.ts';
import { sessionId } from './payload.ts';

// An agent whose sub-agents send updates as fast as they are taken, a chunk each in turn. The prompt is how many updates there are in all;
// each sub-agent sends a hundred, its announcement and its end among them.

interface Incoming {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly prompt?: readonly { readonly text?: string }[] };
}

const updatesEach = 100;

onLines(process.stdin, (lines) => {
  for (const line of lines) {
    const message: Incoming = JSON.parse(line);
    if (message.id !== undefined) void answer(message);
  }
});

async function answer({ id, method, params }: Incoming): Promise<void> {
  switch (method) {
    case 'initialize':
      return send({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
    case 'session/new':
      return send({ id, result: { sessionId } });
    case 'session/prompt':
      await work(Math.ceil(Number(params?.prompt?.[0]?.text) / updatesEach));
      return send({ id, result: { stopReason: 'end_turn' } });
    default:
      return send({ id, error: { code: -32_601, message: `${method}: not part of the bench` } });
  }
}

async function work(subagents: number): Promise<void> {
  const names = Array.from({ length: subagents }, (_, index) => `worker-${String(index)}`);
  for (const name of names) await announce(name, { title: name, state: { state: 'running' } });
  for (let round = 0; round < updatesEach - 2; round += 1) {
    for (const name of names) {
      const content = { type: 'text', text: `step ${String(round)} ` };
      await update(name, { sessionUpdate: 'agent_message_chunk', content });
    }
  }
  for (const name of names) await announce(name, { state: { state: 'idle', stopReason: 'end_turn' } });
}

function announce(name: string, fields: object): Promise<void> {
  return update(sessionId, { sessionUpdate: 'subagent_update', sessionId: name, ...fields });
}

function update(outer: string, fields: object): Promise<void> {
  return send({ method: 'session/update', params: { sessionId: outer, update: fields } });
}

async function send(message: object): Promise<void> {
  await write(process.stdout, `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}
