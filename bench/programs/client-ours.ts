import { createClient } from '@parley/acp';
import { streamTransport } from '@parley/wire/node';
import { drive } from './drive.ts';
import { readContent } from './payload.ts';

await drive(async ({ input, output }, tally) => {
  const client = createClient({
    info: { name: 'bench-client', version: '1.0.0' },
    capabilities: { fs: { readTextFile: true } },
    handlers: {
      'session/update': ({ update }) => tally.count(update),
      'session/request_permission': () => ({ outcome: { outcome: 'cancelled' } }),
      'fs/read_text_file': () => {
        tally.countRead();
        return { content: readContent };
      },
    },
  });
  const connection = client.connect(
    streamTransport({ input: output, output: input, maxLineBytes: 80 * 1024 * 1024 }),
  );
  await connection.initialize();
  const { sessionId } = await connection.agent.request('session/new', { cwd: process.cwd(), mcpServers: [] });
  return {
    prompt: (text) =>
      connection.agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] }),
    close: () => connection.close(),
  };
});
