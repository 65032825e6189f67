import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** Characters that are combined into one write within a tick. */
const batchCharacters = 64 * 1024;

/** Bytes that wait in the stream before the agent has to wait. */
const waitingBytes = 1024 * 1024;

/** Standard output: written in batches, never held without bound when the reader is slow. */
export interface Writer {
  /** Takes text; it leaves with the other text of this tick. */
  write(text: string): void;
  /** A promise while the reader is behind; it settles when the reader caught up, went away, or is not waited for. */
  ready(): Promise<void> | undefined;
  /** More waits for the reader than is good. */
  readonly isBehind: boolean;
  /** Settles when all text was taken by the system, or the reader went away. */
  flush(): Promise<void>;
  /** Aborted when the output is not read any more. */
  readonly closed: AbortSignal;
}

/** How a writer behaves. */
export interface WriterOptions {
  /** Aborted when the reader is not waited for any more. @default never */
  readonly impatience?: AbortSignal;
  /** What has to be done before text leaves: where it gives a promise, the text waits for that, however it settles. @default nothing */
  readonly before?: () => Promise<void> | undefined;
}

/** Writes to a stream, usually the process's own standard output. */
export function createWriter(stream: Writable, { impatience, before }: WriterOptions = {}): Writer {
  const closed = new AbortController();
  const unblocked = AbortSignal.any([closed.signal, ...(impatience === undefined ? [] : [impatience])]);
  let batch = '';
  let scheduled = false;
  let catchingUp: Promise<void> | undefined;
  /** Text that waits for what has to be done before. */
  let leaving: { readonly text: string; readonly left: Promise<void> } | undefined;

  const gone = new Promise<void>((resolve) => {
    stream.on('error', () => {
      closed.abort();
      resolve();
    });
  });

  function send(): void {
    scheduled = false;
    // Behind text that waits, more gathers.
    if (leaving !== undefined) return;
    const text = batch;
    batch = '';
    if (text === '' || closed.signal.aborted) return;
    const waiting = before?.();
    if (waiting === undefined) stream.write(text);
    else leaving = { text, left: leave(text, waiting) };
  }

  async function leave(text: string, waiting: Promise<void>): Promise<void> {
    // That it failed is said elsewhere, and shown like everything else.
    await waiting.catch(() => undefined);
    leaving = undefined;
    if (!closed.signal.aborted) stream.write(text);
    send();
  }

  /** Settles when no text waits for what has to be done before. */
  async function allLeft(): Promise<void> {
    if (leaving === undefined) return;
    await leaving.left;
    await allLeft();
  }

  async function catchUp(): Promise<void> {
    // That the wait is broken off is no error here.
    await once(stream, 'drain', { signal: unblocked }).catch(() => undefined);
    catchingUp = undefined;
  }

  return {
    closed: closed.signal,
    write(text) {
      if (closed.signal.aborted) return;
      batch += text;
      if (batch.length >= batchCharacters) {
        send();
      } else if (!scheduled) {
        scheduled = true;
        setImmediate(send);
      }
    },
    get isBehind() {
      return stream.writableLength + (leaving?.text.length ?? 0) + batch.length >= waitingBytes;
    },
    ready() {
      if (leaving !== undefined && batch.length >= waitingBytes) return leaving.left;
      if (stream.writableLength < waitingBytes || unblocked.aborted) return undefined;
      catchingUp ??= catchUp();
      return catchingUp;
    },
    async flush() {
      send();
      await allLeft();
      if (closed.signal.aborted) return;
      const taken = new Promise<void>((resolve) => {
        stream.write('', () => {
          resolve();
        });
      });
      await Promise.race([taken, gone]);
    },
  };
}
