import type { ToolKind } from '@parley/acp';
import type { HubQuestion } from '@parley/host/hub';
import { CircleAlert, KeyRound, Maximize2, MessageCircleQuestion, Minimize2 } from 'lucide-react';
import {
  useEffect,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
} from 'react';
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

/** Props of each question card. */
export interface CardProps<Question extends HubQuestion> {
  readonly question: Question;
  /** Since when a question has not moved, on the clock of `performance`. */
  readonly steadySince: (requestId: string) => number;
  /** Called when an answer is given here, and when it was rejected. */
  readonly onAnswer: (requestId: string, isTaken: boolean) => void;
  /** Names the session, where cards of several stand together. */
  readonly isSessionShown: boolean;
  /** An element next to the heading, such as a checkbox. */
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
  /** It shows files or a plan, for which the whole window is better. */
  readonly isLong?: boolean;
  readonly children: ReactNode;
}

/** The frame of every question: title, session, age, and the error of a failed answer. */
export function QuestionFrame(props: QuestionFrameProps): ReactElement {
  const { question, kind, label, title, error, isEarly, isSessionShown, aside, onKeyDown, children } = props;
  const { isLong = false } = props;
  const { inbox, shell } = useText();
  const session = useHubSession(question.key);
  const { isObserver, connection } = useHub();
  const isOpen = connection.state === 'open';
  const id = useId();
  const [isFull, setIsFull] = useState(false);
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isFull) card.current?.showPopover();
  }, [isFull]);
  return (
    // It takes the keys that its buttons show; each of them is a button as well.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <article
      ref={card}
      className="question"
      popover={isFull ? 'manual' : undefined}
      tabIndex={-1}
      aria-labelledby={id}
      data-question={question.requestId}
      onKeyDown={(event) => {
        if (!isObserver && isOpen) onKeyDown?.(event);
        if (event.key !== 'Escape' || !isFull || event.defaultPrevented) return;
        event.preventDefault();
        setIsFull(false);
      }}
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
          {question.subagent !== undefined && (
            <span>
              <Honest text={question.subagent.title ?? question.subagent.sessionId} />
            </span>
          )}
          <span title={inbox.waitsSince}>
            <RelativeTime time={question.since} />
          </span>
        </p>
        {aside}
        {isLong && (
          <button
            type="button"
            className="button button-plain button-icon question-expand"
            aria-pressed={isFull}
            title={inbox.fullScreen}
            onClick={() => setIsFull(!isFull)}
          >
            {isFull ? <Minimize2 size={16} aria-hidden /> : <Maximize2 size={16} aria-hidden />}
            <span className="visually-hidden">{inbox.fullScreen}</span>
          </button>
        )}
      </header>
      <AnswerableContext value={!isObserver}>
        <fieldset className="question-body" disabled={isObserver || !isOpen}>
          {children}
        </fieldset>
      </AnswerableContext>
      {isObserver && <p className="soft small">{inbox.observer}</p>}
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
