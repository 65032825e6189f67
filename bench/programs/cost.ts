/** What something took. */
export interface Cost {
  readonly micros: number;
  /** Processor time of this process, all threads. */
  readonly cpuMicros: number;
}

/** Measures something once. */
export async function costOf(act: () => Promise<void>): Promise<Cost> {
  const before = process.cpuUsage();
  const begun = performance.now();
  await act();
  const micros = (performance.now() - begun) * 1000;
  const { user, system } = process.cpuUsage(before);
  return { micros, cpuMicros: user + system };
}

/** The median of each of what was measured. */
export function medianCost(costs: readonly Cost[]): Cost {
  return {
    micros: median(costs.map(({ micros }) => micros)),
    cpuMicros: median(costs.map(({ cpuMicros }) => cpuMicros)),
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}
