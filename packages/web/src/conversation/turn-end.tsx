import { tokensIn, type TurnView } from '@parley/host/view';
import { CircleAlert, CircleCheck, CircleSlash } from 'lucide-react';
import type { ReactElement } from 'react';
import { formatDuration } from '../parts/format-duration.ts';
import { useLanguage, useText } from '../text/language.tsx';
import { describeEnd, endingOf } from './turn-ending.ts';
import './turn-end.css';

/** How a turn ended, how long it took, and what the agent says it used. */
export function TurnEnd({ turn }: { readonly turn: TurnView }): ReactElement {
  const { conversation: text } = useText();
  const { language } = useLanguage();
  const ending = endingOf(turn);
  const tokens = tokensIn(turn.usage);
  const count = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 });
  const used = Object.entries(text.tokenNames).flatMap(([name, label]) => {
    const value = new Map<string, number>(Object.entries(tokens ?? {})).get(name);
    return value === undefined ? [] : [`${label} ${count.format(value)}`];
  });
  const Icon = ending === 'good' ? CircleCheck : ending === 'stopped' ? CircleSlash : CircleAlert;
  return (
    <footer className={`turn-end turn-end-${ending} small`}>
      <Icon size={14} aria-hidden />
      <p>
        <span>{describeEnd(turn, text).join('. ')}</span>
        {turn.endedAt !== undefined && (
          <span className="soft">{formatDuration(turn.endedAt - turn.startedAt, language)}</span>
        )}
        {used.length > 0 && <span className="soft">{text.labelled(text.tokens, text.list(used))}</span>}
      </p>
    </footer>
  );
}
