/** How long and how hard replicas are disturbed. */
export interface ChaosOptions {
  readonly seed: number;
  readonly replicas: number;
  readonly sessions: number;
  readonly faults: number;
  /** Whether what takes longer than the contract says is a failure: only on a machine without other work. */
  readonly isStrict: boolean;
}

/** Words of `PARLEY_CHAOS` that set options. */
const words: ReadonlyMap<string, Partial<ChaosOptions>> = new Map([
  ['strict', { isStrict: true }],
  ['long', { sessions: 100, faults: 60 }],
]);

/**
 * The options of a run, where the value of `PARLEY_CHAOS` names others than the test itself: `seed=7,sessions=100`, `strict`, or
 * `strict,long`. Of two that contradict each other, the later counts.
 *
 * @throws {Error} It names something else.
 */
export function chaosOptions(
  usual: Pick<ChaosOptions, 'replicas' | 'sessions' | 'faults'>,
  value: string,
): ChaosOptions {
  const seed = Math.floor(Math.random() * 1_000_000);
  const options: ChaosOptions = { seed, isStrict: false, ...usual };
  for (const part of value.split(',')) if (part !== '') Object.assign(options, parseOption(part));
  return options;
}

function parseOption(part: string): Partial<ChaosOptions> {
  const word = words.get(part);
  if (word !== undefined) return word;
  const [, name = '', count = ''] = /^(seed|replicas|sessions|faults)=(\d+)$/u.exec(part) ?? [];
  if (name !== '') return { [name]: Number(count) };
  throw new Error(
    `PARLEY_CHAOS: expected strict, long, or a number for seed, replicas, sessions or faults, not ${part}`,
  );
}

/** The value of `PARLEY_CHAOS` that repeats a run. */
export function toChaosVariable({ isStrict, ...counts }: ChaosOptions): string {
  const pairs = Object.entries(counts).map(([name, count]) => `${name}=${String(count)}`);
  return [...(isStrict ? ['strict'] : []), ...pairs].join(',');
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
