import { drive } from './drive.ts';
import { onLines } from './lines.ts';
import { readContent } from './payload.ts';
import type { SeenUpdate } from './tally.ts';

interface Incoming {
  readonly id: number;
  readonly method?: string;
  readonly params: { readonly update: SeenUpdate };
  readonly result: { readonly sessionId: string };
}

await drive(async ({ input, output }, tally) => {
  const readAnswer = `,"result":${JSON.stringify({ content: readContent })}}\n`;
  const waiting = new Map<number, (message: Incoming) => void>();
  onLines(output, (lines) => {
    let answers = '';
    for (const line of lines) {
      const message: Incoming = JSON.parse(line);
      if (message.method === 'session/update') {
        tally.count(message.params.update);
      } else if (message.method === undefined) {
        waiting.get(message.id)?.(message);
      } else {
        tally.countRead();
        answers += `{"jsonrpc":"2.0","id":${message.id}${readAnswer}`;
      }
    }
    if (answers !== '') input.write(answers);
  });
  const request = (id: number, method: string, params: unknown): Promise<Incoming> => {
    const answered = new Promise<Incoming>((resolve) => {
      waiting.set(id, resolve);
    });
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return answered;
  };
  await request(0, 'initialize', { protocolVersion: 1, clientCapabilities: { fs: { readTextFile: true } } });
  const { result } = await request(1, 'session/new', { cwd: process.cwd(), mcpServers: [] });
  return {
    prompt: (text) =>
      request(2, 'session/prompt', { sessionId: result.sessionId, prompt: [{ type: 'text', text }] }),
    close: () => undefined,
  };
});
