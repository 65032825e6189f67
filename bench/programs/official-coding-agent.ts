import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import * as acp from '@agentclientprotocol/sdk';
import { respondTo } from './scripted-model.ts';

/** The scripted turn, written on the official package as its examples are: nothing is saved, checked or confined. */
export function createOfficialCodingAgent(): acp.AgentApp {
  const directories = new Map<string, string>();
  let calls = 0;
  return acp
    .agent({ name: 'bench-agent' })
    .onRequest(acp.methods.agent.initialize, () => ({
      protocolVersion: acp.PROTOCOL_VERSION,
      agentInfo: { name: 'bench-agent', version: '1.0.0' },
      agentCapabilities: {},
    }))
    .onRequest(acp.methods.agent.session.new, ({ params }) => {
      const sessionId = `sess_${directories.size}`;
      directories.set(sessionId, params.cwd);
      return { sessionId };
    })
    .onRequest(acp.methods.agent.session.prompt, async ({ params, client }) => {
      const { sessionId } = params;
      const [block] = params.prompt;
      const prompt = block?.type === 'text' ? block.text : '0';
      const update = (value: acp.SessionUpdate): Promise<void> =>
        client.notify(acp.methods.client.session.update, { sessionId, update: value });
      for (let step = 0; ; step++) {
        const { text, call } = respondTo(prompt, step);
        await update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
        if (call === undefined) return { stopReason: 'end_turn' };
        const toolCallId = `call_${++calls}`;
        const path = resolve(directories.get(sessionId) ?? '', call.path);
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
    });
}
