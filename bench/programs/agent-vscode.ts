import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';
import { readPath, sessionId } from './payload.ts';
import { perform } from './perform.ts';

// The same conversation over the framing that vscode-jsonrpc brings (Content-Length headers), without any validation.
const connection = createMessageConnection(
  new StreamMessageReader(process.stdin),
  new StreamMessageWriter(process.stdout),
);

connection.onRequest('initialize', () => ({ protocolVersion: 1, agentCapabilities: {} }));
connection.onRequest('session/new', () => ({ sessionId }));
connection.onRequest(
  'session/prompt',
  async (params: { readonly prompt: readonly { readonly text: string }[] }) => {
    await perform(params.prompt[0]?.text ?? '', {
      update: (update) => connection.sendNotification('session/update', { sessionId, update }),
      read: async () => {
        const { content } = await connection.sendRequest<{ readonly content: string }>('fs/read_text_file', {
          sessionId,
          path: readPath,
        });
        return content;
      },
    });
    return { stopReason: 'end_turn' };
  },
);
connection.onClose(() => process.exit(0));
connection.listen();
