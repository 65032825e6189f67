import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as acp from '@agentclientprotocol/sdk';
import type { CodingPair } from './coding-pair.ts';
import { createOfficialCodingAgent } from './official-coding-agent.ts';
import { notesName, notesText } from './scripted-model.ts';

/** The agent on the official package and its client in this process, with so many sessions. */
export async function openOfficialSessions(count: number): Promise<CodingPair> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'));
  await writeFile(join(folder, notesName), notesText);
  const client = acp
    .client({ name: 'bench-client' })
    .onNotification(acp.methods.client.session.update, () => undefined)
    .onRequest(acp.methods.client.session.requestPermission, () => ({ outcome: { outcome: 'cancelled' } }));
  const connection = client.connect(createOfficialCodingAgent());
  const { initialize, session } = acp.methods.agent;
  await connection.agent.request(initialize, { protocolVersion: acp.PROTOCOL_VERSION });
  const sessions: string[] = [];
  for (let index = 0; index < count; index++) {
    const { sessionId } = await connection.agent.request(session.new, { cwd: folder, mcpServers: [] });
    sessions.push(sessionId);
  }
  return {
    folder,
    sessions,
    prompt: async (sessionId, text) => {
      const { stopReason } = await connection.agent.request(session.prompt, {
        sessionId,
        prompt: [{ type: 'text', text }],
      });
      if (stopReason !== 'end_turn') throw new Error(`the turn ended with ${stopReason}`);
    },
    close: async () => connection.close(),
  };
}
