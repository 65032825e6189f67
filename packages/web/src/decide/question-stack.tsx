import type { View } from '@parley/host/view';
import { useMemo, useRef, type ReactElement } from 'react';
import { Link } from 'wouter';
import { useDesk } from '../desk/use-desk.ts';
import { useText } from '../text/language.tsx';
import { QuestionList } from './question-list.tsx';
import './question-stack.css';

/** What a session waits for. */
export interface QuestionStackProps {
  readonly sessionKey: string;
  readonly view: View;
}

/** The questions of one session, the oldest first: one whole, the others in a line each. */
export function QuestionStack({ sessionKey }: QuestionStackProps): ReactElement {
  const { decide } = useText();
  const { questions } = useDesk();
  const own = useMemo(() => questions.filter(({ key }) => key === sessionKey), [questions, sessionKey]);
  const stack = useRef<HTMLElement>(null);
  return (
    <section ref={stack} className="question-stack" aria-label={own.length > 0 ? decide.waiting : undefined}>
      {own.length > 1 && (
        <p className="question-stack-head small">
          <strong>{decide.questionCount(own.length)}</strong>
          <span className="soft">
            <kbd>j</kbd> <kbd>k</kbd> {decide.moveBetween}
          </span>
          <Link href={`/inbox?session=${encodeURIComponent(sessionKey)}`}>{decide.answerSeveral}</Link>
        </p>
      )}
      <QuestionList
        questions={own}
        all={own}
        isCompact
        isSessionShown={false}
        label={decide.waiting}
        onLeft={() => stack.current?.parentElement?.querySelector('textarea')?.focus()}
      />
    </section>
  );
}
