import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';
import { drive } from './drive.ts';
import { readContent } from './payload.ts';
import type { SeenUpdate } from './tally.ts';

await drive(async ({ input, output }, tally) => {
  const connection = createMessageConnection(new StreamMessageReader(output), new StreamMessageWriter(input));
  connection.onNotification('session/update', (params: { readonly update: SeenUpdate }) =>
    tally.count(params.update),
  );
  connection.onRequest('fs/read_text_file', () => {
    tally.countRead();
    return { content: readContent };
  });
  connection.listen();
  await connection.sendRequest('initialize', { protocolVersion: 1 });
  const { sessionId } = await connection.sendRequest<{ readonly sessionId: string }>('session/new', {
    cwd: process.cwd(),
    mcpServers: [],
  });
  return {
    prompt: (text) =>
      connection.sendRequest('session/prompt', { sessionId, prompt: [{ type: 'text', text }] }),
    close: () => connection.dispose(),
  };
});
