import { mkdir, writeFile } from 'node:fs/promises';
import { onLines, write } from './lines.ts';
import { sessionId } from './payload.ts';

// An agent that writes files by itself: the prompt says how many, and how many lines the long one has.

interface Incoming {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly prompt?: readonly { readonly text?: string }[] };
}

onLines(process.stdin, (lines) => {
  for (const line of lines) {
    const message: Incoming = JSON.parse(line);
    if (message.id !== undefined) void answer(message);
  }
});

async function answer({ id, method, params }: Incoming): Promise<void> {
  switch (method) {
    case 'initialize':
      return send({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
    case 'session/new':
      return send({ id, result: { sessionId } });
    case 'session/prompt': {
      const [files = 0, lines = 0] = (params?.prompt?.[0]?.text ?? '').split(' ').map(Number);
      await change(files, lines);
      return send({ id, result: { stopReason: 'end_turn' } });
    }
    default:
      return send({ id, error: { code: -32_601, message: `${method}: not part of the bench` } });
  }
}

async function change(files: number, lines: number): Promise<void> {
  await writeFile('a-long.txt', `${linesOf(lines, 'long').join('\n')}\n`);
  await mkdir('many', { recursive: true });
  for (let index = 0; index < files; index += 1) {
    await writeFile(`many/${String(index).padStart(4, '0')}.txt`, `${linesOf(3, 'short').join('\n')}\n`);
  }
}

function linesOf(count: number, word: string): readonly string[] {
  return Array.from({ length: count }, (_, index) => `const ${word}${String(index)} = ${String(index)};`);
}

async function send(message: object): Promise<void> {
  await write(process.stdout, `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}
