import type { ToolKind } from '@parley/acp';
import type { HubQuestion } from '@parley/host/hub';
import { CircleAlert, KeyRound, MessageCircleQuestion } from 'lucide-react';
import { useId, type KeyboardEvent, type ReactElement, type ReactNode } from 'react';
import { Link } from 'wouter';
import { isAnswered } from '../hub/hub-error.ts';
import { useHub, useHubSession } from '../hub/use-hub.ts';
import { Honest } from '../parts/honest.tsx';
import { RelativeTime } from '../parts/relative-time.tsx';
import { failureText } from '../shell/failure-text.ts';
import { useText } from '../text/language.tsx';
import { AnswerableContext } from './answers.tsx';
import { KindIcon } from './kind-icon.tsx';
import './question.css';

/** What each card is given. */
export interface CardProps<Question extends HubQuestion> {
  readonly question: Question;
  /** Since when a question stands still, on the clock of `performance`. */
  readonly steadySince: (requestId: string) => number;
  /** Called when an answer is given here, and when it was rejected. */
  readonly onAnswer: (requestId: string, isTaken: boolean) => void;
  /** Names the session, where cards of several stand together. */
  readonly isSessionShown: boolean;
  /** What stands beside the head, such as a tick box. */
  readonly aside?: ReactNode;
}

interface QuestionFrameProps extends CardProps<HubQuestion> {
  readonly kind: ToolKind | 'question' | 'sign-in';
  readonly label: string;
  readonly title: string | undefined;
  readonly error: unknown;
  /** Something came before the question could be read, and was ignored. */
  readonly isEarly: boolean;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
  readonly children: ReactNode;
}

/** What is around every question: what it is, who asks, since when, and why an answer failed. */
export function QuestionFrame(props: QuestionFrameProps): ReactElement {
  const { question, kind, label, title, error, isEarly, isSessionShown, aside, onKeyDown, children } = props;
  const { inbox, shell } = useText();
  const session = useHubSession(question.key);
  const { isObserver } = useHub();
  const id = useId();
  return (
    // It takes the keys that its buttons show; each of them is a button as well.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <article
      className="question"
      tabIndex={-1}
      aria-labelledby={id}
      data-question={question.requestId}
      onKeyDown={isObserver ? undefined : onKeyDown}
    >
      <header className="question-head">
        <span className={`question-icon question-icon-${kind}`}>
          <FrameIcon kind={kind} />
        </span>
        <h2 id={id} className="question-title">
          {label}
          {title !== undefined && (
            <span className="question-subject">
              <span className="visually-hidden">: </span>
              <Honest text={title} />
            </span>
          )}
        </h2>
        <p className="question-meta soft small">
          {isSessionShown ? (
            <Link href={`/sessions/${question.key}`}>
              <Honest text={session?.title ?? question.key} />
            </Link>
          ) : null}
          {session !== undefined && <span>{session.agent}</span>}
          <span title={inbox.waitsSince}>
            <RelativeTime time={question.since} />
          </span>
        </p>
        {aside}
      </header>
      {isObserver ? (
        <AnswerableContext value={false}>
          <fieldset className="question-closed" disabled>
            {children}
          </fieldset>
          <p className="soft small">{inbox.observer}</p>
        </AnswerableContext>
      ) : (
        children
      )}
      <output className="question-early small">{isEarly && inbox.tooEarly}</output>
      {error !== undefined && (
        <p className="question-error" role="alert">
          <CircleAlert size={16} aria-hidden />
          {isAnswered(error) ? inbox.answeredBefore : `${inbox.answerFailed} ${failureText(error, shell)}`}
        </p>
      )}
    </article>
  );
}

function FrameIcon({ kind }: Pick<QuestionFrameProps, 'kind'>): ReactElement {
  switch (kind) {
    case 'question':
      return <MessageCircleQuestion size={18} aria-hidden />;
    case 'sign-in':
      return <KeyRound size={18} aria-hidden />;
    case 'read':
    case 'edit':
    case 'delete':
    case 'move':
    case 'search':
    case 'execute':
    case 'think':
    case 'fetch':
    case 'switch_mode':
    case 'other':
      return <KindIcon kind={kind} />;
  }
}
