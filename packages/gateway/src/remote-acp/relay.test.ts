import {
  connect,
  FrameFault,
  memoryPair,
  type Connection,
  type ConnectionOptions,
  type Transport,
} from '@parley/wire';
import { expect, test } from 'vitest';
import { relay } from './relay.ts';

test('requests, notifications and answers pass in both directions, whatever they are', async () => {
  const told: unknown[] = [];
  const { client, agent } = join({
    client: { onRequest: () => ({ content: 'text' }) },
    agent: {
      onRequest: (method, params) => ({ method, params }),
      onNotification: (method) => {
        told.push(method);
      },
    },
  });

  await client.notify('_own/told', {});
  const answer = await client.request('_own/ask', { a: [1] });

  expect(answer).toEqual({ method: '_own/ask', params: { a: [1] } });
  expect(told).toEqual(['_own/told']);
  expect(await agent.request('fs/read_text_file', {})).toEqual({ content: 'text' });
});

test('a call that is refused does not reach the agent, and what comes behind it does', async () => {
  const reached: string[] = [];
  const { client } = join({
    agent: {
      onRequest: (method) => {
        reached.push(method);
        return {};
      },
    },
  });

  const refused = client.request('refused', {});
  const passed = client.request('passed', {});

  await expect(refused).rejects.toMatchObject({ code: -32602, message: 'not here' });
  await passed;
  expect(reached).toEqual(['passed']);
});

test('the end of the client ends the agent', async () => {
  const { client, agent, ended } = join();

  await client.close();

  await ended;
  expect((await agent.closed).code).toBe('end-of-input');
});

test('the end of the agent ends the client', async () => {
  const { client, agent, ended } = join();

  await agent.close();

  await ended;
  expect((await client.closed).code).toBe('end-of-input');
});

test.each([
  ['no JSON', new FrameFault('malformed', 1, '{'), { id: null, error: { code: -32700 } }],
  ['no object', 5, { id: null, error: { code: -32600 } }],
  ['a batch', [], { id: null, error: { code: -32600 } }],
  [
    'a call and an answer',
    { jsonrpc: '2.0', id: 4, method: 'a', result: 1 },
    { id: 4, error: { code: -32600 } },
  ],
])('what a client says that is %s is answered here', async (_name, value, expected) => {
  const said: unknown[] = [];
  let bring = (_value: unknown): void | Promise<void> => {};
  const client: Transport = {
    start: (receiver) => {
      bring = (brought) => receiver.receive([brought], 1);
    },
    send: (batch) => {
      said.push(...batch.map(({ message }) => message));
    },
    close: () => Promise.resolve(),
  };
  const [agent] = memoryPair();
  void relay(client, agent, { refuse: () => Promise.resolve(undefined) });

  await bring(value);

  expect(said).toMatchObject([expected]);
});

function join(sides: { client?: ConnectionOptions; agent?: ConnectionOptions } = {}): {
  client: Connection;
  agent: Connection;
  ended: Promise<void>;
} {
  const [client, clientEnd] = memoryPair();
  const [agentEnd, agent] = memoryPair();
  const ended = relay(clientEnd, agentEnd, {
    refuse: (method) =>
      Promise.resolve(method === 'refused' ? { code: -32602, message: 'not here' } : undefined),
  });
  return { client: connect(client, sides.client ?? {}), agent: connect(agent, sides.agent ?? {}), ended };
}
