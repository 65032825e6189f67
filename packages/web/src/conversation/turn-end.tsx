import { tokensIn, type TurnState } from '@parley/host/state';
import { CircleAlert, CircleCheck, CircleSlash, KeyRound } from 'lucide-react';
import { use, type ReactElement } from 'react';
import { useHub } from '../hub/use-hub.ts';
import { formatDuration } from '../parts/format-duration.ts';
import { useLanguage, useText } from '../text/language.tsx';
import { PlaceContext } from './conversation-context.ts';
import { describeEnd, endingOf, offersSignIn, wantsSignIn } from './turn-ending.ts';
import './turn-end.css';

/** What is shown below a turn. */
export interface TurnEndProps {
  readonly turn: TurnState;
}

/** The end of a turn: stop reason, duration and reported usage. */
export function TurnEnd({ turn }: TurnEndProps): ReactElement {
  return wantsSignIn(turn) ? <UnsignedEnd turn={turn} /> : <Ending turn={turn} />;
}

/** While a card displays the sign-in methods, the failure only says that a sign-in is required. */
function UnsignedEnd({ turn }: TurnEndProps): ReactElement {
  const { conversation: text } = useText();
  const { sessionKey } = use(PlaceContext);
  const { questions } = useHub();
  if (!offersSignIn(questions, sessionKey)) return <Ending turn={turn} />;
  return (
    <footer className="turn-end turn-end-stopped small">
      <KeyRound size={14} aria-hidden />
      <p>{text.turnUnsigned}</p>
    </footer>
  );
}

function Ending({ turn }: TurnEndProps): ReactElement {
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
        <span>{text.sentences(describeEnd(turn, text))}</span>
        {turn.endedAt !== undefined && (
          <span className="soft">{formatDuration(turn.endedAt - turn.startedAt, language)}</span>
        )}
        {used.length > 0 && <span className="soft">{text.labelled(text.tokens, text.list(used))}</span>}
      </p>
    </footer>
  );
}
