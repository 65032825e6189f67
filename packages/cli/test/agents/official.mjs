// An agent written on the official SDK, as its own documentation would have it.
import { Readable, Writable } from 'node:stream';
import { agent, ndJsonStream } from '@agentclientprotocol/sdk';

const turns = new Map();
let count = 0;

agent({ name: 'official' })
  .onRequest('initialize', () => ({
    protocolVersion: 1,
    agentInfo: { name: 'official', version: '2.4.0' },
    agentCapabilities: { loadSession: false },
  }))
  .onRequest('session/new', () => ({ sessionId: `session-${(count += 1)}` }))
  .onRequest('session/prompt', async ({ params, client }) => {
    const { sessionId, prompt } = params;
    const turn = new AbortController();
    turns.set(sessionId, turn);
    const say = (text) =>
      client.notify('session/update', {
        sessionId,
        update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
      });
    await say('Hello.');
    if (!prompt[0].text.includes('long')) return { stopReason: 'end_turn' };
    await new Promise((resolve) => turn.signal.addEventListener('abort', resolve, { once: true }));
    return { stopReason: 'cancelled' };
  })
  .onNotification('session/cancel', ({ params }) => turns.get(params.sessionId)?.abort())
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
