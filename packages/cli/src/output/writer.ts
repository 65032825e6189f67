import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** Text gathered before it is handed to the stream within one tick. */
const batchCharacters = 64 * 1024;

/** How much may wait in the stream until the agent is slowed down. */
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
  /**
   * Keeps text back until what this gives back is called: somebody types where it would stand. `onWanted` is called when
   * it is to be flushed, and lets go of it.
   */
  hold(onWanted: () => void): () => void;
  /** Aborted when nobody reads any more. */
  readonly closed: AbortSignal;
}

/**
 * Writes to a stream, usually the process's own standard output.
 *
 * @param impatience Aborted when nobody is to wait for the reader any more. @default never
 */
export function createWriter(stream: Writable, impatience?: AbortSignal): Writer {
  const closed = new AbortController();
  const unblocked = AbortSignal.any([closed.signal, ...(impatience === undefined ? [] : [impatience])]);
  let batch = '';
  let scheduled = false;
  let catchingUp: Promise<void> | undefined;
  let held: { readonly onWanted: () => void; readonly released: Promise<void> } | undefined;

  const gone = new Promise<void>((resolve) => {
    stream.on('error', () => {
      closed.abort();
      resolve();
    });
  });

  function send(): void {
    scheduled = false;
    if (held !== undefined) return;
    const text = batch;
    batch = '';
    if (text === '' || closed.signal.aborted) return;
    stream.write(text);
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
      return stream.writableLength + batch.length >= waitingBytes;
    },
    ready() {
      if (held !== undefined && batch.length >= waitingBytes) return held.released;
      if (stream.writableLength < waitingBytes || unblocked.aborted) return undefined;
      catchingUp ??= catchUp();
      return catchingUp;
    },
    hold(onWanted) {
      let release = (): void => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      const hold = { onWanted, released };
      held = hold;
      return () => {
        if (held === hold) held = undefined;
        release();
        send();
      };
    },
    async flush() {
      held?.onWanted();
      held = undefined;
      send();
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
