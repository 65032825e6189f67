import type { Readable } from 'node:stream';
import { CliError, type CliErrorCode } from './cli-error.ts';
import { maxInputBytes } from './input-file.ts';

/** Reads all of standard input. */
export async function readStandardInput(
  input: Readable,
  { code, signal }: { readonly code: CliErrorCode; readonly signal?: AbortSignal },
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const abort = (): void => {
    input.destroy();
  };
  signal?.addEventListener('abort', abort, { once: true });
  try {
    for await (const chunk of chunksOf(input)) {
      const read = Buffer.from(chunk);
      bytes += read.length;
      if (bytes > maxInputBytes) {
        throw new CliError(code, `standard input: more than ${String(maxInputBytes)} bytes`);
      }
      chunks.push(read);
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', abort);
  }
  signal?.throwIfAborted();
  return Buffer.concat(chunks);
}

/** What a stream of bytes delivers. */
function chunksOf(input: Readable): AsyncIterable<string | Uint8Array> {
  return input;
}
