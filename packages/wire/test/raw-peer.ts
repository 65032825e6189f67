import { memoryPair } from '../src/memory.ts';
import type { CloseReason, OutgoingFrame, Transport } from '../src/transport.ts';

/** The other end of a connection under test: it says what it likes, and keeps what it hears. */
export interface RawPeer {
  readonly transport: Transport;
  /** What the connection wrote. */
  readonly heard: Record<string, unknown>[];
  /** Why the connection's end closed. */
  readonly closed: Promise<CloseReason>;
  /** Says values, in one batch. */
  say(...values: readonly unknown[]): void;
  /** Waits until this many messages were heard. */
  hears(count: number): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

export function rawPeer(): RawPeer {
  const [own, transport] = memoryPair();
  const heard: Record<string, unknown>[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  const closed = new Promise<CloseReason>((resolve) => {
    own.start({
      receive(batch) {
        heard.push(...(batch as Record<string, unknown>[]));
        for (const { count, resolve: done } of waiting) if (heard.length >= count) done();
      },
      close: resolve,
    });
  });
  return {
    transport,
    heard,
    closed,
    say(...values) {
      const frames = values.map((value): OutgoingFrame => {
        return { text: JSON.stringify(value), message: { jsonrpc: '2.0', method: 'raw' } };
      });
      void own.send(frames);
    },
    async hears(count) {
      if (heard.length < count) await new Promise<void>((resolve) => waiting.push({ count, resolve }));
      return heard;
    },
    close: () => own.close({ code: 'local', message: 'the peer left' }),
  };
}

/** Lets everything run that can run without time passing. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}
