import type { UsageReport } from '@parley/host/hub';
import { useEffect, useState, type ReactElement } from 'react';
import { Link } from 'wouter';
import { askApi } from '../hub/api.ts';
import { failureText } from '../shell/failure-text.ts';
import { useLanguage, useText } from '../text/language.tsx';
import { UsageChart } from './usage-chart.tsx';
import {
  amountOf,
  measuresOf,
  sumOf,
  sumsBy,
  sumsOfDays,
  usualMeasure,
  type UsageMeasure,
} from './usage-sums.ts';
import { UsageTable } from './usage-table.tsx';
import { usageText } from './usage-text.ts';
import './usage-page.css';

/** Periods to choose from, in days. */
const periods = [7, 30, 90, 365] as const;

/** What was reported for a period. */
interface Asked {
  readonly days: number;
  readonly report?: UsageReport;
  readonly error?: unknown;
}

/** What agents used, by day, agent and folder, as they reported it. */
export function UsagePage(): ReactElement {
  const { shell, usage: text } = useText();
  const { language } = useLanguage();
  const [days, setDays] = useState<number>(30);
  const [wanted, setWanted] = useState<UsageMeasure>();
  const asked = useUsage(days);
  const rows = asked?.report?.usage ?? [];
  const all = sumOf(rows);
  const measures = measuresOf(all);
  const measure = measures.find((each) => each === wanted) ?? usualMeasure(all);
  const hasTokens = amountOf(all, 'tokens') > 0;
  const say = usageText(language);
  const byAmount = (by: 'agent' | 'cwd') =>
    sumsBy(rows, by).toSorted((left, right) => amountOf(right, measure) - amountOf(left, measure));
  return (
    <section className="page usage">
      <header>
        <h1>{text.title}</h1>
        <p className="soft">{text.help}</p>
      </header>
      <div className="usage-filters small">
        <label>
          {text.period}
          <select className="field" value={days} onChange={({ target }) => setDays(Number(target.value))}>
            {periods.map((period) => (
              <option key={period} value={period}>
                {text.lastDays(period)}
              </option>
            ))}
          </select>
        </label>
        <label>
          {text.measure}
          <select
            className="field"
            value={measure}
            onChange={({ target }) => setWanted(measures.find((each) => each === target.value))}
          >
            {measures.map((each) => (
              <option key={each} value={each}>
                {measureName(each, text)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <output className="soft">
        {asked === undefined && text.loading}
        {asked?.report !== undefined && rows.length === 0 && text.none(days)}
      </output>
      {asked?.error !== undefined && <p role="alert">{failureText(asked.error, shell)}</p>}
      {asked?.report !== undefined && rows.length === 0 && (
        <p>
          <Link href="/">{shell.newSession}</Link>
        </p>
      )}
      {asked?.report !== undefined && rows.length > 0 && (
        <>
          <dl className="usage-sums">
            <Sum name={text.turns} value={say.count(all.turns)} />
            <Sum name={text.tokensIn} value={hasTokens ? say.count(all.inputTokens) : text.notReported} />
            <Sum name={text.tokensOut} value={hasTokens ? say.count(all.outputTokens) : text.notReported} />
            <Sum name={text.cost} value={say.costs(all.cost) ?? text.notReported} />
          </dl>
          <UsageChart
            days={sumsOfDays(rows, asked.report.from, asked.report.to)}
            measure={measure}
            name={measureName(measure, text)}
          />
          <UsageTable title={text.byAgent} head={text.agent} sums={byAmount('agent')} measure={measure} />
          <UsageTable title={text.byFolder} head={text.folder} sums={byAmount('cwd')} measure={measure} />
          <UsageTable title={text.byDay} head={text.day} sums={sumsBy(rows, 'day')} measure={measure} />
        </>
      )}
    </section>
  );
}

/** The usage of a period; undefined while loading. */
function useUsage(days: number): Asked | undefined {
  const [asked, setAsked] = useState<Asked>();
  useEffect(() => {
    const asking = new AbortController();
    const { signal } = asking;
    askApi<UsageReport>(`/api/usage?days=${String(days)}`, { signal }).then(
      (report) => {
        if (!signal.aborted) setAsked({ days, report });
      },
      (error: unknown) => {
        if (!signal.aborted) setAsked({ days, error });
      },
    );
    return () => asking.abort();
  }, [days]);
  return asked?.days === days ? asked : undefined;
}

function Sum({ name, value }: { readonly name: string; readonly value: string }): ReactElement {
  return (
    <div>
      <dt className="soft small">{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function measureName(measure: UsageMeasure, text: ReturnType<typeof useText>['usage']): string {
  if (measure === 'turns') return text.turns;
  return measure === 'tokens' ? text.tokens : text.costIn(measure.slice('cost '.length));
}
