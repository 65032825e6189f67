// An agent written on the official SDK. The text of a prompt is what it is to do.
import { Readable, Writable } from 'node:stream';
import { agent, ndJsonStream } from '@agentclientprotocol/sdk';

const options = [
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
];
const cancelled = new Map();

const say = (client, sessionId, text) =>
  client.notify('session/update', {
    sessionId,
    update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
  });

const deeds = {
  async work(client, sessionId, [path]) {
    const newText = 'one\ntwo\n';
    const content = [{ type: 'diff', path, newText }];
    const toolCall = { toolCallId: 'edit-1', title: 'Write a file', kind: 'edit', content };
    await client.notify('session/update', { sessionId, update: { sessionUpdate: 'tool_call', ...toolCall } });
    const { outcome } = await client.request('session/request_permission', { sessionId, toolCall, options });
    await say(client, sessionId, `permission: ${outcome.optionId}`);
    await client.request('fs/write_text_file', { sessionId, path, content: newText });
    const { content: line } = await client.request('fs/read_text_file', {
      sessionId,
      path,
      line: 2,
      limit: 1,
    });
    await say(client, sessionId, `line 2: ${line.trim()}`);
    const terminal = await client.createTerminal({ sessionId, command: 'echo from the terminal' });
    const { exitCode } = await terminal.waitForExit();
    const { output } = await terminal.currentOutput();
    await terminal.release();
    await say(client, sessionId, `terminal: ${output.trim()} (${exitCode})`);
    return 'end_turn';
  },
  async wait(client, sessionId) {
    await say(client, sessionId, 'waiting');
    const { outcome } = await client.request('session/request_permission', {
      sessionId,
      toolCall: { toolCallId: 'wait-1', title: 'Go on', kind: 'execute' },
      options,
    });
    await cancelled.get(sessionId);
    await say(client, sessionId, `permission: ${outcome.outcome}`);
    return 'cancelled';
  },
};

agent({ name: 'official' })
  .onRequest('initialize', () => ({
    protocolVersion: 1,
    agentInfo: { name: 'official', version: '2.4.0' },
    agentCapabilities: { loadSession: true },
  }))
  .onRequest('session/new', () => ({ sessionId: 'session-1' }))
  .onRequest('session/load', async ({ params, client }) => {
    for (let index = 0; index < 3; index++) await say(client, params.sessionId, `old ${index}`);
    return {};
  })
  .onRequest('session/prompt', async ({ params, client }) => {
    const { sessionId, prompt } = params;
    let cancel;
    cancelled.set(sessionId, new Promise((resolve) => (cancel = resolve)));
    cancelled.get(sessionId).cancel = cancel;
    const [deed, ...words] = prompt[0].text.split(' ');
    return { stopReason: await deeds[deed](client, sessionId, words) };
  })
  .onNotification('session/cancel', ({ params }) => cancelled.get(params.sessionId)?.cancel())
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
