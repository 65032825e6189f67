import type { SessionState } from '@parley/host/state';
import { useCallback, useEffect, useMemo, useRef, type ReactElement } from 'react';
import { Link } from 'wouter';
import { useHub, useHubSession } from '../hub/use-hub.ts';
import { isFocusFree } from '../question/focus.ts';
import { useText } from '../text/language.tsx';
import { QuestionList } from './question-list.tsx';
import './question-stack.css';

/** What a session waits for. */
export interface QuestionStackProps {
  readonly sessionKey: string;
  readonly view: SessionState;
}

/** The questions of one session, the oldest first: one whole, the others in a line each. */
export function QuestionStack({ sessionKey }: QuestionStackProps): ReactElement {
  const { inbox } = useText();
  const { questions, isObserver } = useHub();
  const own = useMemo(() => questions.filter(({ key }) => key === sessionKey), [questions, sessionKey]);
  const stack = useRef<HTMLElement>(null);
  const answeredHere = useRef(new Set<string>());
  const state = useHubSession(sessionKey)?.state;
  const isLeft = useRef(false);
  // The next question takes the focus where it is unused; when the turn has ended, the next thing is a prompt.
  const onLeft = useCallback(() => {
    isLeft.current = true;
    const heading = document.querySelector<HTMLElement>('#content h1');
    if (heading === null) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    if (state !== 'ready' || !isLeft.current) return;
    isLeft.current = false;
    // On a phone, the focus would open the keyboard over what the agent does next.
    if (!isFocusFree() || matchMedia('(pointer: coarse)').matches) return;
    stack.current?.parentElement?.querySelector('textarea')?.focus();
  }, [state]);
  return (
    <section ref={stack} className="question-stack" aria-label={own.length > 0 ? inbox.waiting : undefined}>
      {own.length > 1 && (
        <p className="question-stack-head small">
          <strong>{inbox.questionCount(own.length)}</strong>
          <span className="key-hint soft">
            <kbd>j</kbd> <kbd>k</kbd> {inbox.moveBetween}
          </span>
          {!isObserver && (
            <Link href={`/inbox?session=${encodeURIComponent(sessionKey)}`}>{inbox.answerSeveral}</Link>
          )}
        </p>
      )}
      <QuestionList
        questions={own}
        all={own}
        isCompact
        isSessionShown={false}
        label={inbox.waiting}
        answeredHere={answeredHere}
        onLeft={onLeft}
      />
    </section>
  );
}
