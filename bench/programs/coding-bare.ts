import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { onLines, write } from './lines.ts';
import { sessionId } from './payload.ts';
import { respondTo } from './scripted-model.ts';

// The limit: the same turn without a library.

interface Incoming {
  readonly id: number;
  readonly method: string;
  readonly params: { readonly cwd: string; readonly prompt: readonly { readonly text: string }[] };
}

let cwd = '';
let calls = 0;

onLines(process.stdin, (lines) => {
  for (const line of lines) void answer(JSON.parse(line));
});

async function answer({ id, method, params }: Incoming): Promise<void> {
  switch (method) {
    case 'initialize':
      return send({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
    case 'session/new':
      ({ cwd } = params);
      return send({ id, result: { sessionId } });
    case 'session/prompt':
      await turn(params.prompt[0]?.text ?? '0');
      return send({ id, result: { stopReason: 'end_turn' } });
    default:
      throw new Error(`the bare agent does not know ${method}`);
  }
}

async function turn(prompt: string): Promise<void> {
  for (let step = 0; ; step++) {
    const { text, call } = respondTo(prompt, step);
    await update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
    if (call === undefined) return;
    const toolCallId = `call_${++calls}`;
    const path = resolve(cwd, call.path);
    await update({
      sessionUpdate: 'tool_call',
      toolCallId,
      title: `Read ${call.path}`,
      kind: 'read',
      status: 'pending',
      rawInput: { path: call.path, line: call.line },
      locations: [{ path, line: call.line }],
    });
    await update({ sessionUpdate: 'tool_call_update', toolCallId, status: 'in_progress' });
    const lines = (await readFile(path, 'utf8')).split('\n').slice(call.line - 1);
    await update({
      sessionUpdate: 'tool_call_update',
      toolCallId,
      status: 'completed',
      content: [{ type: 'content', content: { type: 'text', text: lines.join('\n') } }],
      rawOutput: { path, line: call.line, lines: lines.length },
    });
  }
}

function update(value: unknown): Promise<void> {
  return send({ method: 'session/update', params: { sessionId, update: value } });
}

function send(message: object): Promise<void> {
  return write(process.stdout, `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}
