import type { HubQuestion } from '@parley/host/hub';
import { ChevronRight } from 'lucide-react';
import { useCallback, useEffect, useRef, useState, type ReactElement, type RefObject } from 'react';
import { ElicitationCard } from '../elicitation/elicitation-card.tsx';
import { SignInCard } from '../elicitation/sign-in-card.tsx';
import { PermissionCard } from '../permission/permission-card.tsx';
import { isFocusFree, isTyping } from '../question/focus.ts';
import type { CardProps } from '../question/question-frame.tsx';
import { useText } from '../text/language.tsx';
import { toQuestionLine } from './question-line.ts';
import { neighbour } from './question-order.ts';
import { SelectTick } from './select-tick.tsx';
import { SettledNote } from './settled-note.tsx';
import type { Selection } from './use-selection.ts';
import { useSettled } from './use-settled.ts';
import { useSteadiness } from './use-steadiness.ts';
import './question-list.css';

/** Which questions, and how they are shown. */
export interface QuestionListProps {
  readonly questions: readonly HubQuestion[];
  /** All questions before filtering: one that is no longer among them was settled. */
  readonly all: readonly HubQuestion[];
  /** Whether to show one question completely and the others in one line each. */
  readonly isCompact: boolean;
  readonly isSessionShown: boolean;
  readonly label: string;
  /** The selection of questions to answer together. */
  readonly selection?: Selection;
  /** The questions that were answered from this page; the list adds those that its cards answer. */
  readonly answeredHere: RefObject<Set<string>>;
  /** The last card has gone, and the focus was on it. */
  readonly onLeft: () => void;
}

/** A list of cards, with keys to move between them. The focus moves on when a card is removed. */
export function QuestionList(props: QuestionListProps): ReactElement {
  const { questions, all, isCompact, isSessionShown, label, selection, answeredHere, onLeft } = props;
  const { inbox } = useText();
  const list = useRef<HTMLUListElement>(null);
  const settledElsewhere = useSettled(all, answeredHere);
  const [wanted, setWanted] = useState<string>();
  const ids = questions.map(({ requestId }) => requestId);
  const current = ids.find((id) => id === wanted) ?? ids[0];
  const steadiness = useSteadiness(
    isCompact && current !== undefined
      ? [
          questions.length > 1 ? 'several' : 'one',
          ...settledElsewhere.map(({ question }) => question.requestId),
          current,
        ]
      : ids,
    list,
  );
  const onAnswer = useCallback(
    (id: string, isTaken: boolean) => {
      if (isTaken) answeredHere.current.add(id);
      else answeredHere.current.delete(id);
    },
    [answeredHere],
  );

  const focused = useRef<{ readonly id: string; readonly index: number }>(undefined);
  const isFocusWanted = useRef(false);
  const lastKeyAt = useRef(-Infinity);
  const focus = (id: string): void => {
    const card = Array.from(list.current?.querySelectorAll<HTMLElement>('article') ?? []).find(
      ({ dataset }) => dataset['question'] === id,
    );
    if (card === undefined) return;
    steadiness.disturb(id);
    // A form that stands alone is there to be filled in. On a phone, its focus would open the keyboard over the question.
    const isAlone = ids.length === 1 && !matchMedia('(pointer: coarse)').matches;
    const field = isAlone ? card.querySelector<HTMLElement>(firstField) : null;
    (field ?? card).focus();
    card.scrollIntoView({ block: 'nearest' });
  };
  const show = (id: string | undefined): void => {
    if (id === undefined) return;
    isFocusWanted.current = true;
    setWanted(id);
    if (id === current || !isCompact) focus(id);
  };

  // A removed card passes the focus on; a new card takes it only where it is unused.
  useEffect(() => {
    const had = focused.current;
    const hasGone = had !== undefined && !ids.includes(had.id);
    if (hasGone) {
      focused.current = undefined;
      if (!isFocusFree()) return;
      const next = ids[Math.min(had.index, ids.length - 1)];
      if (next === undefined) onLeft();
      else show(next);
    } else if (current !== undefined) {
      // A card must not take the keys of a user who types.
      const isIdle = performance.now() - lastKeyAt.current > idleMs;
      if (isFocusWanted.current || (had === undefined && isIdle && isFocusFree())) focus(current);
    }
    isFocusWanted.current = false;
    // What is shown has changed; nothing else moves the focus.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [ids.join('\n'), current]);

  const shortcut = useRef<() => void>(() => {});
  useEffect(() => {
    shortcut.current = () => show(current);
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const { key, code, altKey, ctrlKey, metaKey, target, defaultPrevented } = event;
      // What goes to a card is meant for cards.
      const isForCard = target instanceof Node && list.current?.contains(target) === true;
      if (key.length === 1 && !isForCard) lastKeyAt.current = performance.now();
      if (ctrlKey || metaKey || defaultPrevented) return;
      // A letter alone is text where the user types.
      const isWanted = altKey ? code === 'KeyJ' : key === 'j' && !isTyping(target);
      if (!isWanted || document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      shortcut.current();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);

  return (
    <>
      {settledElsewhere.length > 0 && (
        <ul className="question-settled-list">
          {settledElsewhere.map((elsewhere) => (
            <li key={elsewhere.question.requestId}>
              <SettledNote elsewhere={elsewhere} />
            </li>
          ))}
        </ul>
      )}
      {/* The keys only move between cards, which can be reached without them. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <ul
        ref={list}
        className="question-list"
        aria-label={label}
        onFocus={({ target }) => {
          const id = target.closest<HTMLElement>('article')?.dataset['question'];
          if (id !== undefined) focused.current = { id, index: ids.indexOf(id) };
        }}
        onBlur={({ relatedTarget }) => {
          if (relatedTarget === null || list.current?.contains(relatedTarget) === true) return;
          focused.current = undefined;
        }}
        onKeyDown={(event) => {
          const { key, altKey, ctrlKey, metaKey, target } = event;
          if ((key !== 'j' && key !== 'k') || altKey || ctrlKey || metaKey || isTyping(target)) return;
          event.preventDefault();
          event.stopPropagation();
          const from = focused.current === undefined ? -1 : ids.indexOf(focused.current.id);
          show(ids[neighbour(from, key === 'j' ? 1 : -1, ids.length)]);
        }}
      >
        {questions.map((question) => (
          <li key={question.requestId}>
            {!isCompact || question.requestId === current ? (
              <QuestionCard
                question={question}
                steadySince={steadiness.since}
                onAnswer={onAnswer}
                isSessionShown={isSessionShown}
                aside={selection && <SelectTick question={question} selection={selection} />}
              />
            ) : (
              <QuestionRow
                label={toQuestionLine(question, inbox).label}
                subject={toQuestionLine(question, inbox).subject}
                onShow={() => show(question.requestId)}
              />
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

/** Time without key presses before a card receives the focus. */
const idleMs = 1000;

const firstField = ':scope > .question-body > form :is(input, select, textarea)';

function QuestionRow({
  label,
  subject,
  onShow,
}: {
  readonly label: string;
  readonly subject: string;
  readonly onShow: () => void;
}): ReactElement {
  return (
    <button type="button" className="question-row" onClick={onShow}>
      <ChevronRight size={16} aria-hidden />
      <span className="question-row-label">{label}</span>
      <span className="question-row-subject soft">{subject}</span>
    </button>
  );
}

function QuestionCard({ question, ...props }: CardProps<HubQuestion>): ReactElement {
  switch (question.kind) {
    case 'permission':
      return <PermissionCard question={question} {...props} />;
    case 'elicitation':
      return <ElicitationCard question={question} {...props} />;
    case 'sign-in':
      return <SignInCard question={question} {...props} />;
  }
}
