/** How many of something go on. */
export interface Count {
  /** One more. What is returned ends it, once. */
  add(): () => void;
  /** Settles when none is left, or after a while. */
  none(atMostMs: number): Promise<void>;
}

/** Counts what goes on, so that its end can be waited for. */
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
