import type { Receiver, Transport } from '@parley/wire';
import { fanOut, parseFanoutWork } from './fanout.ts';

/** An ACP agent behind a transport that costs next to nothing, so that what is measured is who it talks to. */
export function scriptedTransport(): Transport {
  let receiver: Receiver | undefined;
  const receive = (line: string): void | Promise<void> => receiver?.receive([JSON.parse(line)], line.length);
  const answer = async (id: unknown, method: string, params: unknown): Promise<void> => {
    if (method === 'session/prompt') await fanOut(parseFanoutWork(promptText(params)), say);
    await receive(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }));
  };
  const say = (text: string): void | Promise<void> => receive(`${chunkHead}${JSON.stringify(text)}}}}}`);
  return {
    start: (given) => {
      receiver = given;
    },
    send: (batch) => {
      for (const { message } of batch) {
        if ('method' in message && 'id' in message) void answer(message.id, message.method, message.params);
      }
    },
    close: () => Promise.resolve(),
  };
}

const results: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: 1,
    agentInfo: { name: 'scripted', version: '1.0.0' },
    agentCapabilities: {},
  },
  'session/new': { sessionId: 'scripted' },
  'session/prompt': { stopReason: 'end_turn' },
};

const chunkHead =
  '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"scripted","update":' +
  '{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":';

function promptText(params: unknown): string {
  if (typeof params !== 'object' || params === null || !('prompt' in params)) return '';
  const [block]: readonly unknown[] = Array.isArray(params.prompt) ? params.prompt : [];
  return typeof block === 'object' && block !== null && 'text' in block ? String(block.text) : '';
}
