import { useMemo, useRef, useState, type ReactElement } from 'react';
import { Link, useSearch } from 'wouter';
import { useHub } from '../hub/use-hub.ts';
import { inboxPage } from '../limits.ts';
import { useText } from '../text/language.tsx';
import { InboxFilters } from './inbox-filters.tsx';
import { QuestionList } from './question-list.tsx';
import { chooseQuestions, type InboxChoice } from './question-order.ts';
import { SelectedAnswers } from './selected-answers.tsx';
import './inbox-page.css';
import { useSelection } from './use-selection.ts';

/** The questions of all sessions, whole, in the order that the user chose. */
export function InboxPage(): ReactElement {
  const { inbox, shell } = useText();
  const { questions, sessions, isObserver } = useHub();
  const session = new URLSearchParams(useSearch()).get('session');
  const [choice, setChoice] = useState<InboxChoice>({ order: 'oldest' });
  const [length, setLength] = useState(inboxPage);
  const heading = useRef<HTMLHeadingElement>(null);
  const answeredHere = useRef(new Set<string>());
  const chosen = useMemo(
    () => chooseQuestions(questions, sessions, { ...choice, ...(session !== null && { session }) }),
    [questions, sessions, choice, session],
  );
  const shown = chosen.slice(0, length);
  const selection = useSelection(shown);
  return (
    <section className="inbox">
      <header className="inbox-head">
        <h1 ref={heading} tabIndex={-1}>
          {inbox.title}
        </h1>
        {questions.length > 0 && <p className="soft">{inbox.questionCount(chosen.length)}</p>}
      </header>
      {questions.length > 0 && <InboxFilters choice={choice} session={session} onChange={setChoice} />}
      {chosen.length === 0 && (
        <div className="inbox-empty">
          <p>{questions.length === 0 ? inbox.nothingWaits : inbox.nothingChosen}</p>
          <p className="soft">{questions.length === 0 ? inbox.nothingWaitsHelp : inbox.nothingChosenHelp}</p>
          {questions.length === 0 && !isObserver && (
            <p>
              <Link href="/">{shell.newSession}</Link>
            </p>
          )}
        </div>
      )}
      {chosen.length > 1 && (
        <p className="soft small key-hint">
          <kbd>j</kbd> <kbd>k</kbd> {inbox.moveBetween}
          {!isObserver && (
            <>
              {' '}
              · <kbd>a</kbd> {inbox.keyAllow} · <kbd>r</kbd> {inbox.keyReject}
            </>
          )}
        </p>
      )}
      <QuestionList
        questions={shown}
        all={questions}
        isCompact={false}
        isSessionShown
        label={inbox.title}
        {...(!isObserver && { selection })}
        answeredHere={answeredHere}
        onLeft={() => heading.current?.focus()}
      />
      {chosen.length > length && (
        <button type="button" className="button" onClick={() => setLength(length + inboxPage)}>
          {inbox.showMore(chosen.length - length)}
        </button>
      )}
      <SelectedAnswers selection={selection} answeredHere={answeredHere} />
    </section>
  );
}
