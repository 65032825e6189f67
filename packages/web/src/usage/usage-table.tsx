import { useId, type ReactElement } from 'react';
import { useLanguage, useText } from '../text/language.tsx';
import { amountOf, type UsageMeasure, type UsageSum } from './usage-sums.ts';
import { usageText } from './usage-text.ts';

/** Sums with the same kind of name. */
export interface UsageTableProps {
  readonly title: string;
  /** What the names are. */
  readonly head: string;
  readonly sums: readonly UsageSum[];
  readonly measure: UsageMeasure;
}

/** Sums below each other, with a bar of each. */
export function UsageTable({ title, head, sums, measure }: UsageTableProps): ReactElement {
  const { usage: text } = useText();
  const { language } = useLanguage();
  const id = useId();
  const say = usageText(language);
  const highest = Math.max(...sums.map((sum) => amountOf(sum, measure)));
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <table className="usage-table">
        <thead className="small soft">
          <tr>
            <th scope="col">{head}</th>
            <th scope="col">{text.turns}</th>
            <th scope="col">{text.tokensIn}</th>
            <th scope="col">{text.tokensOut}</th>
            <th scope="col">{text.cost}</th>
          </tr>
        </thead>
        <tbody>
          {sums.map((sum) => {
            const amount = amountOf(sum, measure);
            const hasTokens = amountOf(sum, 'tokens') > 0;
            return (
              <tr key={sum.name}>
                <th scope="row">
                  <bdi>{sum.name}</bdi>
                  <progress aria-hidden max={1} value={highest === 0 ? 0 : amount / highest} />
                </th>
                <td>{say.count(sum.turns)}</td>
                <td>{hasTokens ? say.count(sum.inputTokens) : '–'}</td>
                <td>{hasTokens ? say.count(sum.outputTokens) : '–'}</td>
                <td>{say.costs(sum.cost) ?? '–'}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
