import type { ReactElement } from 'react';
import { useText } from '../text/language.tsx';
import { Honest } from './honest.tsx';
import { toQuestionLine } from './question-line.ts';
import { settledText } from './settled-text.ts';
import type { Departure } from './use-departures.ts';

/** Says what became of a question that was not answered here. */
export function DepartureNote({
  departure: { question, settled },
}: {
  readonly departure: Departure;
}): ReactElement {
  const { decide } = useText();
  const outcome = settled === undefined ? undefined : settledText(settled, decide);
  const { label, subject } = toQuestionLine(question, decide);
  return (
    <output className="question-departure small">
      <span className="question-departure-what">
        {label}
        {subject !== '' && <> · {subject}</>}
      </span>
      <span className="soft">
        {settled?.person === undefined ? decide.settledSomehow : decide.answeredBy(settled.person)}
        {outcome !== undefined && (
          <>
            {' '}
            <Honest text={outcome} />
          </>
        )}
      </span>
    </output>
  );
}
