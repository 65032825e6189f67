import {
  connect,
  FrameFault,
  memoryPair,
  type Connection,
  type ConnectionOptions,
  type Message,
  type RpcErrorObject,
  type Transport,
} from '@parley/wire';
import { expect, test } from 'vitest';
import { relay, type Passage } from './relay.ts';

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

test('a notification that is refused is dropped, without an answer', async () => {
  const [client, clientEnd] = memoryPair();
  const [agentEnd, agent] = memoryPair();
  const told: unknown[] = [];
  const reached: string[] = [];
  client.start({ receive: (batch) => void told.push(...batch), close: () => {} });
  connect(agent, {
    onRequest: () => ({}),
    onNotification: (method) => {
      reached.push(method);
    },
  });
  void relay(clientEnd, { ...options, open: () => Promise.resolve(agentEnd) });
  const send = (message: Message): void | Promise<void> =>
    client.send([{ text: JSON.stringify(message), message }]);

  await send({ jsonrpc: '2.0', method: 'refused', params: {} });
  await send({ jsonrpc: '2.0', id: 7, method: 'passed', params: {} });

  await expect.poll(() => told).toMatchObject([{ id: 7 }]);
  expect(reached).toEqual([]);
});

test('what is answered here does not reach the client, nor an answer that nobody waits for the agent', async () => {
  const [client, clientEnd] = memoryPair();
  const [agentEnd, agent] = memoryPair();
  const reached: unknown[] = [];
  const told: unknown[] = [];
  const listen = (to: unknown[]): Parameters<Transport['start']>[0] => ({
    receive: (batch) => void to.push(...batch),
    close: () => {},
  });
  const message = (fields: object): { readonly text: string; readonly message: Message } => {
    const whole: Message = { jsonrpc: '2.0', id: 1, result: {}, ...fields };
    return { text: JSON.stringify(whole), message: whole };
  };
  const guard = {
    ...options.guard,
    expects: (answer: Message) => 'id' in answer && answer.id === 2,
    hear: (heard: Message): Passage =>
      'id' in heard && heard.id === 1
        ? { toAgent: { jsonrpc: '2.0', id: 1, result: 'no' } }
        : { toClient: heard },
  };
  void relay(clientEnd, { ...options, guard, open: () => Promise.resolve(agentEnd) });
  client.start(listen(told));
  agent.start(listen(reached));

  await agent.send([message({ id: 1, result: 'a' }), message({ id: 2, result: 'b' })]);
  await client.send([message({ id: 1, result: 'c' }), message({ id: 2, result: 'd' })]);

  await expect.poll(() => told).toMatchObject([{ id: 2, result: 'b' }]);
  await expect
    .poll(() => reached)
    .toMatchObject([
      { id: 1, result: 'no' },
      { id: 2, result: 'd' },
    ]);
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
  void relay(client, { ...options, open: () => Promise.resolve(agent) });

  await bring(value);

  expect(said).toMatchObject([expected]);
});

test('while the agent starts, the client waits; when it goes, the start is given up', async () => {
  const [client, clientEnd] = memoryPair();
  const given = new Promise<string>((resolve) => {
    const ended = relay(clientEnd, {
      ...options,
      open: (signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            reject(new Error('given up'));
          });
        }),
    });
    void ended.then(() => {
      resolve('ended');
    });
  });

  await connect(client, {}).close();

  expect(await given).toBe('ended');
});

test('an agent that cannot be reached is the answer to the first request, and the end', async () => {
  const [client, clientEnd] = memoryPair();
  const ended = relay(clientEnd, { ...options, open: () => Promise.reject(new Error('no such command')) });
  const connection = connect(client, {});

  await expect(connection.request('initialize', {})).rejects.toMatchObject({
    code: -32603,
    message: 'no such command',
  });

  await ended;
  await connection.closed;
});

const options = {
  guard: {
    refuse: (message: Message): Promise<RpcErrorObject | undefined> =>
      Promise.resolve(
        'method' in message && message.method === 'refused'
          ? { code: -32602, message: 'not here' }
          : undefined,
      ),
    expects: (): boolean => true,
    hear: (message: Message): Passage => ({ toClient: message }),
    passed: (): void => {},
    end: (): void => {},
  },
  toError: (error: unknown): RpcErrorObject => ({
    code: -32603,
    message: error instanceof Error ? error.message : '',
  }),
};

function join(sides: { client?: ConnectionOptions; agent?: ConnectionOptions } = {}): {
  client: Connection;
  agent: Connection;
  ended: Promise<void>;
} {
  const [client, clientEnd] = memoryPair();
  const [agentEnd, agent] = memoryPair();
  const ended = relay(clientEnd, { ...options, open: () => Promise.resolve(agentEnd) });
  return { client: connect(client, sides.client ?? {}), agent: connect(agent, sides.agent ?? {}), ended };
}
