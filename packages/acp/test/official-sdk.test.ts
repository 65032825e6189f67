import { PassThrough, Readable, Writable } from 'node:stream';
import {
  agent as officialAgent,
  client as officialClient,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  type Stream,
} from '@agentclientprotocol/sdk';
import type { Transport } from '@parley/wire';
import { streamTransport } from '@parley/wire/node';
import { expect, onTestFinished, test } from 'vitest';
import {
  createAgent,
  createClient,
  type AgentConnection,
  type ClientConnection,
  type SessionUpdate,
} from '../src/index.ts';
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

const text = (content: string): { type: 'text'; text: string } => ({ type: 'text', text: content });
const path = '/work/notes.txt';

function kindsOf(updates: readonly SessionUpdate[]): string[] {
  return updates.map(({ sessionUpdate }) => sessionUpdate);
}

test('our client drives an agent of the official SDK', async () => {
  const { ours, theirs } = createPipes();
  const cancelled = createDeferred();
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
      const tell = (
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
      await tell({ sessionUpdate: 'tool_call', toolCallId: 't', title: 'Write', kind: 'edit' });
      const { outcome } = await client.request(methods.client.session.requestPermission, {
        sessionId,
        toolCall: { toolCallId: 't' },
        options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
      });
      if (outcome.outcome !== 'selected') return { stopReason: 'refusal' };
      await client.request(methods.client.fs.writeTextFile, { sessionId, path, content: 'written' });
      await tell({ sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'completed' });
      return { stopReason: 'end_turn' };
    })
    .onNotification(methods.agent.session.cancel, () => {})
    .connect(theirs);
  onTestFinished(() => official.close());

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
  const connection: ClientConnection = client.connect(ours);
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
});

test('a client of the official SDK drives our agent', async () => {
  const { ours, theirs } = createPipes();
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
  const connection: AgentConnection = agent.connect(ours);
  onTestFinished(() => connection.close());

  const updates: string[] = [];
  const files = new Map<string, string>();
  const official = officialClient({ name: 'official' })
    .onNotification(
      methods.client.session.update,
      ({ params }) => void updates.push(params.update.sessionUpdate),
    )
    .onRequest(methods.client.session.requestPermission, () => ({
      outcome: { outcome: 'selected', optionId: 'yes' },
    }))
    .onRequest(methods.client.fs.writeTextFile, ({ params }) => {
      files.set(params.path, params.content);
      return {};
    });
  await official.connectWith(theirs, async (peer) => {
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

    await peer.request(methods.agent.session.load, { sessionId: 'old', cwd: '/work', mcpServers: [] });
    expect(updates.slice(2)).toEqual(['user_message_chunk', 'agent_message_chunk']);

    await expect(peer.request(methods.agent.session.list, {})).rejects.toMatchObject({ code: -32601 });
    const stranger = peer.request(methods.agent.session.prompt, { sessionId: 'nope', prompt: [] });
    await expect(stranger).rejects.toMatchObject({ code: -32002, data: { sessionId: 'nope' } });
  });
});
