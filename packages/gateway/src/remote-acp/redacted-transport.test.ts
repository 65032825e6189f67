import { Redaction } from '@parley/host';
import { connect, memoryPair, RpcError, type Connection } from '@parley/wire';
import { afterEach, expect, test } from 'vitest';
import { redactedTransport } from './redacted-transport.ts';

const open: Connection[] = [];

afterEach(() => Promise.all(open.splice(0).map((connection) => connection.close())));

/** An agent that knows a secret, and what its client hears of it. */
function stage(): { readonly client: Connection; readonly agent: Connection; readonly heard: unknown[] } {
  const [left, right] = memoryPair();
  const heard: unknown[] = [];
  const agent = connect(right, {
    onRequest: (method, params) => {
      if (method === 'fail') throw new RpcError(-32603, 'no hush-4711', { tried: 'hush-4711' });
      return { sessionId: 'hush-4711', told: params };
    },
  });
  const client = connect(redactedTransport(left, new Redaction(['hush-4711'])), {
    onRequest: (method, params) => {
      heard.push({ method, params });
      return {};
    },
    onNotification: (method, params) => {
      heard.push({ method, params });
    },
  });
  open.push(agent, client);
  return { client, agent, heard };
}

test('answers and errors hold no secret, and sessions keep their ids', async () => {
  const { client } = stage();

  expect(await client.request('session/new', { a: 'hush-4711' })).toEqual({
    sessionId: 'hush-4711',
    told: { a: '***' },
  });
  await expect(client.request('fail', {})).rejects.toMatchObject({
    message: 'no ***',
    data: { tried: '***' },
  });
});

test('updates and questions hold no secret; files are written as they are', async () => {
  const { agent, heard } = stage();
  const params = { sessionId: 's', content: 'hush-4711' };

  await agent.notify('session/update', params);
  await agent.request('session/request_permission', params);
  await agent.request('fs/write_text_file', params);

  const hidden = { sessionId: 's', content: '***' };
  expect(heard).toEqual([
    { method: 'session/update', params: hidden },
    { method: 'session/request_permission', params: hidden },
    { method: 'fs/write_text_file', params },
  ]);
});
