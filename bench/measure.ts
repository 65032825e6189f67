import type { Case, Contender, Sample, Scale } from './case.ts';

/** All samples of a case, round by round, and why a contender has none. */
export interface Measurement {
  readonly rounds: readonly Readonly<Partial<Record<Contender, Sample>>>[];
  readonly failures: Readonly<Partial<Record<Contender, string>>>;
}

/** How often and how much. */
export interface MeasureOptions {
  readonly rounds: number;
  readonly scale: Scale;
}

/** Runs all contenders of a case one after another, round by round, each round starting with another one. */
export async function measure(subject: Case, { rounds, scale }: MeasureOptions): Promise<Measurement> {
  const contenders = contendersOf(subject);
  const failures: Partial<Record<Contender, string>> = {};
  const samples: Partial<Record<Contender, Sample>>[] = [];
  for (let round = 0; round < rounds; round++) {
    const taken: Partial<Record<Contender, Sample>> = {};
    for (const [contender, run] of rotate(contenders, round)) {
      if (failures[contender] !== undefined) continue;
      try {
        taken[contender] = await run(scale);
      } catch (error) {
        failures[contender] = error instanceof Error ? error.message : String(error);
      }
    }
    samples.push(taken);
  }
  return { rounds: samples, failures };
}

type Run = (scale: Scale) => Promise<Sample>;

const order: readonly Contender[] = ['ours', 'official', 'vscode-jsonrpc', 'limit'];

function contendersOf(subject: Case): (readonly [Contender, Run])[] {
  return order.flatMap((contender) => {
    const run = subject.contenders[contender];
    return run === undefined ? [] : [[contender, run] as const];
  });
}

function rotate<T>(values: readonly T[], by: number): readonly T[] {
  const start = by % values.length;
  return [...values.slice(start), ...values.slice(0, start)];
}
