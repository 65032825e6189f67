import type { ReactElement } from 'react';
import { useText } from '../text/language.tsx';
import { Honest } from './honest.tsx';
import { toQuestionLine } from './question-line.ts';
import type { Departure } from './use-departures.ts';

/** Says what became of a question that was not answered here. */
export function DepartureNote({
  departure: { question, settled },
}: {
  readonly departure: Departure;
}): ReactElement {
  const { decide } = useText();
  const { label, subject } = toQuestionLine(question, decide);
  return (
    <output className="question-departure small">
      <span className="question-departure-what">
        {label}
        {subject !== '' && <> · {subject}</>}
      </span>
      <span className="soft">
        {settled?.person === undefined ? decide.settledSomehow : decide.answeredBy(settled.person)}
        {settled?.outcome !== undefined && (
          <>
            {' '}
            <Honest text={settled.outcome} />
          </>
        )}
      </span>
    </output>
  );
}
