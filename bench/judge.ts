import type { Case, Contender, Goal, Metric, Sample } from './case.ts';
import type { Measurement } from './measure.ts';
import { spreadOf } from './statistics.ts';
import type { Spread } from './statistics.ts';

/** One metric of one case, as it is reported. */
export interface Finding {
  readonly caseName: string;
  readonly title: string;
  readonly metric: Metric;
  readonly values: Readonly<Partial<Record<Contender, Spread>>>;
  /** Ours beside the official SDK, or the bare limit, in the sense of the goal: the median of the ratios of each round. */
  readonly ratio?: Spread;
  /** The same for the bare limit: what could be had at most. */
  readonly limitRatio?: Spread;
  readonly outcome: Outcome;
}

/** Whether the goal was reached; `by` is the part of the target that is missing. */
export type Outcome =
  | { readonly kind: 'met' }
  | { readonly kind: 'missed'; readonly by: number }
  | { readonly kind: 'no-target' }
  | { readonly kind: 'not-measured'; readonly reason: string };

/** Compares what was measured with what a case wants. */
export function judge(subject: Case, measurement: Measurement): Finding[] {
  return subject.metrics.map((metric) => {
    const ratio = ratioOf(metric, measurement, 'ours');
    const limitRatio = ratioOf(metric, measurement, 'limit');
    return {
      caseName: subject.name,
      title: `${subject.title}: ${metric.title}`,
      metric,
      values: valuesOf(metric, measurement),
      ...(ratio && { ratio }),
      ...(limitRatio && { limitRatio }),
      outcome: outcomeOn(metric, measurement, ratio),
    };
  });
}

function valuesOf({ key }: Metric, { rounds }: Measurement): Partial<Record<Contender, Spread>> {
  const values: Partial<Record<Contender, Spread>> = {};
  for (const contender of ['ours', 'official', 'vscode-jsonrpc', 'limit'] as const) {
    const taken = rounds.flatMap((round) => valueOf(round[contender], key));
    if (taken.length > 0) values[contender] = spreadOf(taken);
  }
  return values;
}

function ratioOf(metric: Metric, { rounds }: Measurement, contender: Contender): Spread | undefined {
  const ratios = rounds.flatMap((round) =>
    valueOf(round[contender], metric.key).flatMap((value) => {
      if (metric.goal.kind === 'value') return [value];
      const peer = metric.goal.kind === 'of-limit' ? round.limit : round.official;
      return valueOf(peer, metric.key).map((other) => compare(metric, value, other));
    }),
  );
  return ratios.length > 0 ? spreadOf(ratios) : undefined;
}

function compare({ goal, better }: Metric, value: number, official: number): number {
  return goal.kind !== 'part' && better === 'less' ? official / value : value / official;
}

function valueOf(sample: Sample | undefined, key: string): number[] {
  const value = sample?.[key];
  return value === undefined ? [] : [value];
}

function outcomeOn({ goal, key }: Metric, measurement: Measurement, ratio: Spread | undefined): Outcome {
  const isMeasured = measurement.rounds.some((round) => valueOf(round.ours, key).length > 0);
  if (goal.kind === 'none' && isMeasured) return { kind: 'no-target' };
  return ratio ? outcomeOf(goal, ratio.median) : notMeasured(measurement);
}

function outcomeOf(goal: Goal, ratio: number): Outcome {
  if (goal.kind === 'none') return { kind: 'no-target' };
  const missing = 'atLeast' in goal ? 1 - ratio / goal.atLeast : ratio / goal.atMost - 1;
  return missing <= 0 ? { kind: 'met' } : { kind: 'missed', by: missing };
}

function notMeasured({ failures }: Measurement): Outcome {
  const all = Object.entries(failures);
  const reasons = new Set(all.map(([, reason]) => reason));
  const lines = [...reasons].map((reason) => {
    const contenders = all.filter(([, other]) => other === reason).map(([contender]) => contender);
    return `${contenders.join(', ')}: ${reason}`;
  });
  return { kind: 'not-measured', reason: lines.join('; ') };
}
