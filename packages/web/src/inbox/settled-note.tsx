import type { ReactElement } from 'react';
import { Honest } from '../parts/honest.tsx';
import { useText } from '../text/language.tsx';
import { toQuestionLine } from './question-line.ts';
import { settledText } from './settled-text.ts';
import type { SettledElsewhere } from './use-settled.ts';

/** Shows the outcome of a question that was answered elsewhere. */
export function SettledNote({
  elsewhere: { question, settled },
}: {
  readonly elsewhere: SettledElsewhere;
}): ReactElement {
  const { inbox } = useText();
  const outcome = settled === undefined ? undefined : settledText(settled, inbox);
  const { label, subject } = toQuestionLine(question, inbox);
  return (
    <output className="question-settled small">
      <span className="question-settled-what">
        {label}
        {subject !== '' && <> · {subject}</>}
      </span>
      <span className="soft">
        {settled?.person === undefined ? inbox.settledSomehow : inbox.answeredBy(settled.person)}
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
