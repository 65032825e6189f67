/** How long and how hard replicas are disturbed. */
export interface ChaosOptions {
  readonly seed: number;
  readonly replicas: number;
  readonly sessions: number;
  readonly faults: number;
}

/**
 * The options of a run, where `PARLEY_CHAOS` names others than the test itself: `PARLEY_CHAOS=seed=7,sessions=100,faults=60`.
 */
export function chaosOptions(usual: Omit<ChaosOptions, 'seed'>): ChaosOptions {
  const given = Object.fromEntries(
    (process.env['PARLEY_CHAOS'] ?? '')
      .split(',')
      .filter((pair) => pair !== '')
      .map((pair): [string, number] => {
        const [, name = '', value = ''] = /^(seed|replicas|sessions|faults)=(\d+)$/u.exec(pair) ?? [];
        if (name === '') {
          throw new Error(`PARLEY_CHAOS: expected seed, replicas, sessions or faults, not ${pair}`);
        }
        return [name, Number(value)];
      }),
  );
  return { seed: Math.floor(Math.random() * 1_000_000), ...usual, ...given };
}

/** Choices that a seed repeats. */
export class Choices {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** A number from 0 up to, and without, 1: mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  count(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  of<Item>(items: readonly Item[]): Item {
    const item = items[Math.floor(this.next() * items.length)];
    if (item === undefined) throw new Error('nothing to choose from');
    return item;
  }
}
