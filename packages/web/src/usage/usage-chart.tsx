import type { ReactElement } from 'react';
import { useLanguage } from '../text/language.tsx';
import { amountOf, type UsageMeasure, type UsageSum } from './usage-sums.ts';
import { usageText } from './usage-text.ts';

/** A bar for each day. Screen readers have the table of days in its place. */
export function UsageChart({
  days,
  measure,
  name,
}: {
  readonly days: readonly UsageSum[];
  readonly measure: UsageMeasure;
  readonly name: string;
}): ReactElement {
  const { language } = useLanguage();
  const say = usageText(language);
  const most = days.reduce(
    (found, day) => (amountOf(day, measure) > amountOf(found, measure) ? day : found),
    days[0] ?? { name: '', turns: 0, inputTokens: 0, outputTokens: 0, cost: {} },
  );
  const highest = amountOf(most, measure);
  const first = days[0];
  const last = days.at(-1);
  return (
    <figure className="usage-chart" aria-hidden>
      <figcaption className="small soft">
        <span>{name}</span>
        <span>{say.amount(most, measure)}</span>
      </figcaption>
      <svg viewBox={`0 0 ${String(Math.max(days.length, 1))} 100`} preserveAspectRatio="none">
        {days.map((day, index) => {
          const amount = amountOf(day, measure);
          // Something is more than nothing, however little it is.
          const height = highest === 0 || amount === 0 ? 0 : Math.max(1, (amount / highest) * 100);
          return (
            <rect key={day.name} x={index + 0.1} y={100 - height} width={0.8} height={height}>
              <title>{`${say.day(day.name)}: ${say.amount(day, measure)}`}</title>
            </rect>
          );
        })}
      </svg>
      <p className="small soft">
        <span>{first !== undefined && say.day(first.name)}</span>
        <span>{last !== undefined && say.day(last.name)}</span>
      </p>
    </figure>
  );
}
