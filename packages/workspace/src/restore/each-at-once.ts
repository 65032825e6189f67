import { pauses } from '../checkpoint/walk/pauses.ts';

/**
 * Works on all items, several at once, and gives the rest of the process its turn. After a failure it begins no further one; it rejects with the first failure once
 * all that it began have settled.
 */
export async function eachAtOnce<Item>(
  items: Iterable<Item>,
  atOnce: number,
  work: (item: Item) => Promise<void> | void,
): Promise<void> {
  const waiting = items[Symbol.iterator]();
  const failures: unknown[] = [];
  const pause = pauses();
  const workOn = async (): Promise<void> => {
    while (failures.length === 0) {
      await pause();
      const next = waiting.next();
      if (next.done === true) return;
      try {
        await work(next.value);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, workOn));
  if (failures.length > 0) throw failures[0];
}

/** Paths that a restore reads or changes at once: most of the time they wait for the disk. */
export const pathsAtOnce = 16;
