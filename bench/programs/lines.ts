import type { Readable, Writable } from 'node:stream';

/** Calls back with each read's complete lines: splitting on newline and nothing else. */
export function onLines(input: Readable, receive: (lines: readonly string[]) => void): void {
  let rest = '';
  input.setEncoding('utf8');
  input.on('data', (chunk: string) => {
    rest += chunk;
    if (!chunk.includes('\n')) return;
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    receive(lines);
  });
}

/** Writes text, and waits when the pipe is full. */
export async function write(output: Writable, text: string): Promise<void> {
  if (output.write(text)) return;
  await new Promise<void>((resolve) => {
    output.once('drain', resolve);
  });
}
