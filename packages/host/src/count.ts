/** A count of running operations. */
export interface Count {
  /** Adds an operation. The returned function ends it. */
  add(): () => void;
  /** Settles when no operation is left, or after a time limit. */
  none(atMostMs: number): Promise<void>;
}

/** Creates a count, to wait for the end of operations. */
export function createCount(): Count {
  let open = 0;
  const waiting = new Set<() => void>();
  return {
    add: () => {
      open += 1;
      let isOpen = true;
      return () => {
        if (!isOpen) return;
        isOpen = false;
        open -= 1;
        if (open === 0) for (const settle of waiting) settle();
      };
    },
    none: async (atMostMs) => {
      if (open === 0 || atMostMs === 0) return;
      await new Promise<void>((resolve) => {
        const settle = (): void => {
          clearTimeout(timer);
          waiting.delete(settle);
          resolve();
        };
        const timer = setTimeout(settle, atMostMs);
        waiting.add(settle);
      });
    },
  };
}
