import type { Readable } from 'node:stream';
import { createOutputBuffer } from '@parley/workspace';

/** Stored end of an agent's standard error: 16 KiB. */
const stderrTailBytes = 16 * 1024;

/** Reads an agent's standard error: passes on each piece, and stores the end. */
export function keepStderr(stderr: Readable, onText: (text: string) => void): () => string {
  const tail = createOutputBuffer({ limitBytes: stderrTailBytes });
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const take = (text: string): void => {
    if (text !== '') onText(text);
  };
  stderr.on('data', (bytes: Uint8Array) => {
    tail.append(bytes);
    take(decoder.decode(bytes, { stream: true }));
  });
  stderr.on('end', () => take(decoder.decode()));
  return () => {
    const text = tail.text();
    // A line whose beginning is lost is left out, unless there is no other.
    const lineEnd = tail.truncated ? text.indexOf('\n') : -1;
    return text.slice(lineEnd + 1).trimEnd();
  };
}
