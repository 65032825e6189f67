import type { SessionUsage } from '@parley/host/state';
import { Gauge } from 'lucide-react';
import { useId, type ReactElement } from 'react';
import { useLanguage, useText } from '../../text/language.tsx';
import { formatCost } from './format-cost.ts';

/** The usage that the agent reported: context, cost and tokens. Missing numbers are shown as unknown. */
export function Usage({ usage: { context, cost, tokens } }: { readonly usage: SessionUsage }): ReactElement {
  const { conversation: text } = useText();
  const { language } = useLanguage();
  const id = useId();
  const compact = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 });
  const whole = new Intl.NumberFormat(language);
  const share = context === undefined || context.size <= 0 ? undefined : context.used / context.size;
  const percent =
    share === undefined ? undefined : new Intl.NumberFormat(language, { style: 'percent' }).format(share);
  const all = tokens?.totalTokens ?? (tokens && (tokens.inputTokens ?? 0) + (tokens.outputTokens ?? 0));
  const counts = new Map<string, number>(Object.entries(tokens ?? {}));
  return (
    <div className="usage">
      <button type="button" className="usage-button soft" popoverTarget={id}>
        <Gauge size={14} aria-hidden />
        <span className="visually-hidden">{text.usage}: </span>
        {share !== undefined && percent !== undefined && (
          <>
            <meter className="usage-bar" min={0} max={1} high={0.85} value={Math.min(1, share)} aria-hidden />
            <span>{text.contextFull(percent)}</span>
          </>
        )}
        {share === undefined && all !== undefined && <span>{text.tokenCount(compact.format(all))}</span>}
        {cost !== undefined && <span>{formatCost(cost, language)}</span>}
        {share === undefined && all === undefined && cost === undefined && <span>{text.usage}</span>}
      </button>
      <div id={id} popover="auto" className="usage-card">
        <dl>
          <dt>{text.context}</dt>
          <dd>
            {context === undefined
              ? text.notReported
              : text.contextOf(whole.format(context.used), whole.format(context.size))}
          </dd>
          <dt>{text.cost}</dt>
          <dd>{cost === undefined ? text.notReported : formatCost(cost, language)}</dd>
          {tokens === undefined ? (
            <>
              <dt>{text.tokens}</dt>
              <dd>{text.notReported}</dd>
            </>
          ) : (
            Object.entries(text.tokenNames).map(([name, label]) => {
              const count = counts.get(name);
              return count === undefined ? null : (
                <div key={name} className="usage-pair">
                  <dt>
                    {text.tokens}: {label}
                  </dt>
                  <dd>{whole.format(count)}</dd>
                </div>
              );
            })
          )}
        </dl>
      </div>
    </div>
  );
}
