import { once } from 'node:events';
import { createServer } from 'node:http';
import { PassThrough, Readable, Writable } from 'node:stream';
import {
  agent as officialAgent,
  client as officialClient,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  type AgentApp,
  type Stream,
} from '@agentclientprotocol/sdk';
import { createHttpStream } from '@agentclientprotocol/sdk/experimental/http-client';
import {
  createNodeHttpHandler,
  createNodeWebSocketUpgradeHandler,
} from '@agentclientprotocol/sdk/experimental/node';
import { AcpServer } from '@agentclientprotocol/sdk/experimental/server';
import { createWebSocketStream } from '@agentclientprotocol/sdk/experimental/ws-client';
import { webSocketTransport, type Transport } from '@parley/wire';
import { streamTransport } from '@parley/wire/node';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { createRemoteAcp, httpTransport } from '../src/http/index.ts';
import {
  createAgent,
  createClient,
  type Agent,
  type ClientConnection,
  type SessionUpdate,
} from '../src/index.ts';
import { listen } from './http/remote-stage.ts';
import { createDeferred } from './raw-peers.ts';

/** Two byte streams with our end and theirs. */
function createPipes(): { readonly ours: Transport; readonly theirs: Stream } {
  const toUs = new PassThrough();
  const toThem = new PassThrough();
  return {
    ours: streamTransport({ input: toUs, output: toThem }),
    theirs: ndJsonStream(Writable.toWeb(toUs), Readable.toWeb(toThem)),
  };
}

/** How our client reaches an agent of theirs. */
const waysToTheirs: readonly [name: string, reach: (agent: AgentApp) => Promise<Transport>][] = [
  [
    'stdio',
    async (agent) => {
      const { ours, theirs } = createPipes();
      const connection = agent.connect(theirs);
      onTestFinished(() => connection.close());
      return ours;
    },
  ],
  ['streamable HTTP', async (agent) => httpTransport(`http://${await serveOfficial(agent)}`)],
  ['WebSocket', async (agent) => webSocketTransport(new WebSocket(`ws://${await serveOfficial(agent)}`))],
];

/** Their server, on a port of this machine. */
async function serveOfficial(agent: AgentApp): Promise<string> {
  const acp = new AcpServer({ agent });
  const server = createServer(createNodeHttpHandler(acp));
  server.on('upgrade', createNodeWebSocketUpgradeHandler(acp, new WebSocketServer({ noServer: true })));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    await acp.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  return `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/acp`;
}

/** How their client reaches an agent of ours. */
const waysToOurs: readonly [name: string, reach: (agent: Agent) => Promise<Stream>][] = [
  [
    'stdio',
    async (agent) => {
      const { ours, theirs } = createPipes();
      const connection = agent.connect(ours);
      onTestFinished(() => connection.close());
      return theirs;
    },
  ],
  ['streamable HTTP', async (agent) => createHttpStream((await serve(agent)).url)],
  ['WebSocket', async (agent) => createWebSocketStream((await serve(agent)).socketUrl, { WebSocket })],
];

async function serve(agent: Agent): Promise<{ readonly url: string; readonly socketUrl: string }> {
  const listening = await listen(createRemoteAcp({ accept: (transport) => void agent.connect(transport) }));
  onTestFinished(() => listening.close());
  return listening;
}

const text = (content: string): { type: 'text'; text: string } => ({ type: 'text', text: content });
const path = '/work/notes.txt';

function kindsOf(updates: readonly SessionUpdate[]): string[] {
  return updates.map(({ sessionUpdate }) => sessionUpdate);
}

test.each(waysToTheirs)('our client drives an agent of the official SDK over %s', async (_name, reach) => {
  const cancelled = createDeferred();
  const heardCancel = createDeferred();
  const official = officialAgent({ name: 'official' })
    .onRequest(methods.agent.initialize, () => ({
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: 'official', version: '2.4.0' },
      agentCapabilities: { loadSession: true },
    }))
    .onRequest(methods.agent.session.new, () => ({ sessionId: 's1' }))
    .onRequest(methods.agent.session.load, async ({ params: { sessionId }, client }) => {
      for (const sessionUpdate of ['user_message_chunk', 'agent_message_chunk'] as const) {
        await client.notify(methods.client.session.update, {
          sessionId,
          update: { sessionUpdate, content: text('old') },
        });
      }
      return {};
    })
    .onRequest(methods.agent.session.prompt, async ({ params: { sessionId, prompt }, client }) => {
      const send = (
        update: SessionUpdate & { readonly sessionUpdate: 'tool_call' | 'tool_call_update' },
      ): Promise<void> => client.notify('session/update', { sessionId, update });
      if (prompt.some((block) => block.type === 'text' && block.text === 'wait')) {
        void client
          .request(methods.client.session.requestPermission, {
            sessionId,
            toolCall: { toolCallId: 'w' },
            options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
          })
          .then(({ outcome }) => outcome.outcome === 'cancelled' && cancelled.resolve());
        await cancelled.promise;
        return { stopReason: 'cancelled' };
      }
      if (prompt.some((block) => block.type === 'text' && block.text === 'hang')) {
        await send({ sessionUpdate: 'tool_call', toolCallId: 'h', title: 'Hang', kind: 'other' });
        await heardCancel.promise;
        return { stopReason: 'cancelled' };
      }
      await send({ sessionUpdate: 'tool_call', toolCallId: 't', title: 'Write', kind: 'edit' });
      const { outcome } = await client.request(methods.client.session.requestPermission, {
        sessionId,
        toolCall: { toolCallId: 't' },
        options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
      });
      if (outcome.outcome !== 'selected') return { stopReason: 'refusal' };
      await client.request(methods.client.fs.writeTextFile, { sessionId, path, content: 'written' });
      await send({ sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'completed' });
      return { stopReason: 'end_turn' };
    })
    .onNotification(methods.agent.session.cancel, ({ params: { sessionId } }) => {
      if (sessionId === 'old') heardCancel.resolve();
    });

  const updates: SessionUpdate[] = [];
  const files = new Map<string, string>();
  const asked = createDeferred();
  const client = createClient({
    info: { name: 'ours', version: '1' },
    capabilities: { fs: { writeTextFile: true } },
    handlers: {
      'session/update': ({ update }) => void updates.push(update),
      'session/request_permission': ({ toolCall }) => {
        if (toolCall.toolCallId === 't') return { outcome: { outcome: 'selected', optionId: 'yes' } };
        asked.resolve();
        return new Promise(() => {});
      },
      'fs/write_text_file': (file) => void files.set(file.path, file.content),
    },
  });
  const connection: ClientConnection = client.connect(await reach(official));
  onTestFinished(() => connection.close());
  await expect(connection.initialize()).resolves.toMatchObject({ agentInfo: { name: 'official' } });
  const { sessionId } = await connection.agent.request('session/new', { cwd: '/work', mcpServers: [] });

  const turn = connection.agent.request('session/prompt', { sessionId, prompt: [text('write')] });
  await expect(turn).resolves.toEqual({ stopReason: 'end_turn' });
  expect(kindsOf(updates)).toEqual(['tool_call', 'tool_call_update']);
  expect([...files]).toEqual([[path, 'written']]);

  const waiting = connection.agent.request('session/prompt', { sessionId, prompt: [text('wait')] });
  await asked.promise;
  await connection.agent.notify('session/cancel', { sessionId });
  await expect(waiting).resolves.toEqual({ stopReason: 'cancelled' });

  await connection.agent.request('session/load', { sessionId: 'old', cwd: '/work', mcpServers: [] });
  expect(kindsOf(updates).slice(2)).toEqual(['user_message_chunk', 'agent_message_chunk']);

  // A request that takes its time holds back neither another session's nor the notification that ends it.
  const hanging = connection.agent.request('session/prompt', { sessionId: 'old', prompt: [text('hang')] });
  await expect.poll(() => updates.length).toBe(5);
  const other = connection.agent.request('session/prompt', { sessionId, prompt: [text('write')] });
  await expect(other).resolves.toEqual({ stopReason: 'end_turn' });
  await connection.agent.notify('session/cancel', { sessionId: 'old' });
  await expect(hanging).resolves.toEqual({ stopReason: 'cancelled' });
});

test.each(waysToOurs)('a client of the official SDK drives our agent over %s', async (_name, reach) => {
  const waiting = createDeferred();
  const agent = createAgent({
    info: { name: 'ours', version: '1' },
    capabilities: { loadSession: true },
    handlers: {
      'session/new': () => ({ sessionId: 's1' }),
      'session/load': async (_params, { update }) => {
        await update({ sessionUpdate: 'user_message_chunk', content: text('old') });
        await update({ sessionUpdate: 'agent_message_chunk', content: text('old') });
      },
      'session/prompt': async ({ sessionId, prompt }, { client, update, signal }) => {
        const [block] = prompt;
        if (block?.type === 'text' && block.text === 'wait') {
          waiting.resolve();
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
          signal.throwIfAborted();
        }
        await update({ sessionUpdate: 'tool_call', toolCallId: 't', title: 'Write', kind: 'edit' });
        const { outcome } = await client.request('session/request_permission', {
          sessionId,
          toolCall: { toolCallId: 't' },
          options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
        });
        if (outcome.outcome !== 'selected') return { stopReason: 'refusal' };
        await client.request('fs/write_text_file', { sessionId, path, content: 'written' });
        await update({ sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'completed' });
        return { stopReason: 'end_turn' };
      },
    },
  });
  const updates: string[] = [];
  const files = new Map<string, string>();
  let isCancelling = false;
  const official = officialClient({ name: 'official' })
    .onNotification(
      methods.client.session.update,
      ({ params }) => void updates.push(params.update.sessionUpdate),
    )
    .onRequest(methods.client.session.requestPermission, () => ({
      outcome: isCancelling ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: 'yes' },
    }))
    .onRequest(methods.client.fs.writeTextFile, ({ params }) => {
      files.set(params.path, params.content);
      return {};
    });
  await official.connectWith(await reach(agent), async (peer) => {
    const answer = await peer.request(methods.agent.initialize, {
      protocolVersion: PROTOCOL_VERSION,
      clientInfo: { name: 'official', version: '2.4.0' },
      clientCapabilities: { fs: { writeTextFile: true } },
    });
    expect(answer).toMatchObject({ protocolVersion: 1, agentInfo: { name: 'ours' } });
    const { sessionId } = await peer.request(methods.agent.session.new, { cwd: '/work', mcpServers: [] });

    const turn = await peer.request(methods.agent.session.prompt, { sessionId, prompt: [text('write')] });
    expect(turn).toEqual({ stopReason: 'end_turn' });
    expect(updates).toEqual(['tool_call', 'tool_call_update']);
    expect([...files]).toEqual([[path, 'written']]);

    const cancelled = peer.request(methods.agent.session.prompt, { sessionId, prompt: [text('wait')] });
    await waiting.promise;
    await peer.notify(methods.agent.session.cancel, { sessionId });
    await expect(cancelled).resolves.toEqual({ stopReason: 'cancelled' });

    // A client that cancels may answer what is open before it says so.
    isCancelling = true;
    const turnedDown = peer.request(methods.agent.session.prompt, { sessionId, prompt: [text('write')] });
    await expect(turnedDown).resolves.toEqual({ stopReason: 'cancelled' });
    await peer.notify(methods.agent.session.cancel, { sessionId });
    updates.length = 2;

    await peer.request(methods.agent.session.load, { sessionId: 'old', cwd: '/work', mcpServers: [] });
    // Their client does not put what comes on two streams in order.
    await expect.poll(() => updates.length).toBe(4);
    expect(updates.slice(2)).toEqual(['user_message_chunk', 'agent_message_chunk']);

    await expect(peer.request(methods.agent.session.list, {})).rejects.toMatchObject({ code: -32601 });
    const stranger = peer.request(methods.agent.session.prompt, { sessionId: 'nope', prompt: [] });
    await expect(stranger).rejects.toMatchObject({ code: -32002, data: { sessionId: 'nope' } });
  });
});
