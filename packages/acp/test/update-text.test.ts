import { NdjsonReader, type Receiver, type Transport } from '@parley/wire';
import { expect, test } from 'vitest';
import { createClient } from '../src/index.ts';

/** A transport that brings what an agent wrote, in one read; what the client writes goes to `onText`. */
function agentLines(onText: (text: string) => void): { transport: Transport; say(...lines: string[]): void } {
  let receiver: Receiver | undefined;
  const reader = new NdjsonReader();
  return {
    transport: {
      start: (started) => {
        receiver = started;
      },
      send: (batch) => {
        for (const frame of batch) onText(frame.text);
      },
      close: () => Promise.resolve(),
    },
    say: (...lines) => {
      const bytes = new TextEncoder().encode(`${lines.join('\n')}\n`);
      void receiver?.receive(reader.push(bytes), bytes.length);
    },
  };
}

test('the handler of consecutive updates can read their text', async () => {
  const seen: unknown[] = [];
  let last: { readonly updateText: string | undefined } | undefined;
  const client = createClient({
    info: { name: 'c', version: '1' },
    handlers: {
      'session/update': (_params, context) => {
        seen.push(context.updateText);
        last = context;
      },
      'session/request_permission': () => ({ outcome: { outcome: 'cancelled' } }),
    },
  });
  const { transport, say } = agentLines(() => {
    queueMicrotask(() =>
      say('{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"agentCapabilities":{}}}'),
    );
  });
  const connection = client.connect(transport);
  await connection.initialize();
  const head = '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":';
  const update = '{ "sessionUpdate":"usage_update", "used":1e2, "size":1000 }';
  say(`${head}${update}}}`, `${head}${update}}}`, `${head}${update},"_meta":{}}}`);
  expect(seen).toEqual([undefined, update, undefined]);
  say(`${head}${update}}}`, `${head}${update}}}`);
  expect(seen.at(-1)).toBe(update);
  expect(last?.updateText).toBeUndefined();
});
