import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@parley/acp';
import { serveAgent } from '@parley/agent/node';
import { memoryPair } from '@parley/wire';
import type { CodingPair } from './coding-pair.ts';
import { notesName, notesText } from './scripted-model.ts';
import { createScriptedModel } from './scripted-parts.ts';

/** Our agent and a client in this process, with so many sessions; they are saved as a user's are. */
export async function openOurSessions(count: number): Promise<CodingPair> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'));
  const cwd = await mkdtemp(join(folder, 'project-'));
  await writeFile(join(cwd, notesName), notesText);
  const [left, right] = memoryPair();
  // The window of a small model, so that a thousand turns do not fit.
  serveAgent({ transport: left, stateDirectory: join(folder, 'state'), model: createScriptedModel(32_000) });
  const client = createClient({
    info: { name: 'bench-client', version: '1.0.0' },
    handlers: {
      'session/update': () => undefined,
      'session/request_permission': () => ({ outcome: { outcome: 'cancelled' } }),
    },
  }).connect(right);
  await client.initialize();
  const open = (): Promise<{ readonly sessionId: string }> =>
    client.agent.request('session/new', { cwd, mcpServers: [] });
  const sessions: string[] = [];
  for (let index = 0; index < count; index++) sessions.push((await open()).sessionId);
  return {
    folder,
    sessions,
    prompt: async (sessionId, text) => {
      const { stopReason } = await client.agent.request('session/prompt', {
        sessionId,
        prompt: [{ type: 'text', text }],
      });
      if (stopReason !== 'end_turn') throw new Error(`the turn ended with ${stopReason}`);
    },
    close: () => client.close(),
  };
}
