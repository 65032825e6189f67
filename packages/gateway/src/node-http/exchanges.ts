import type { NodeResponse } from './send-response.ts';

/** The requests that are being answered. */
export interface Exchanges {
  add(outgoing: NodeResponse): void;
  /** Settles when none is left, or after `graceMs`. */
  settled(graceMs: number): Promise<void>;
}

/** Keeps count of what is being answered. */
export function createExchanges(): Exchanges {
  let open = 0;
  let onLast: (() => void) | undefined;
  return {
    add: (outgoing) => {
      open += 1;
      outgoing.once('close', () => {
        open -= 1;
        if (open === 0) onLast?.();
      });
    },
    settled: async (graceMs) => {
      if (open === 0) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, graceMs);
        onLast = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
  };
}
