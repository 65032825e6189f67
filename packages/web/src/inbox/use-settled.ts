import type { HubQuestion, SettledQuestion } from '@parley/host/hub';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { useHub } from '../hub/use-hub.ts';

/** A question that was just settled, but not by an answer from this page. */
export interface SettledElsewhere {
  readonly question: HubQuestion;
  /** Absent where it is unknown. */
  readonly settled?: SettledQuestion;
}

/** How long the outcome of a question is displayed. */
const shownMs = 5000;

/** Outcomes that are displayed at the same time. */
const mostShown = 3;

/** The questions that were answered elsewhere, or are no longer needed, for a moment. */
export function useSettled(
  questions: readonly HubQuestion[],
  answeredHere: RefObject<ReadonlySet<string>>,
): readonly SettledElsewhere[] {
  const { settled } = useHub();
  const known = useRef(questions);
  const [gone, setGone] = useState<readonly HubQuestion[]>([]);
  useEffect(() => {
    const here = new Set(questions.map(({ requestId }) => requestId));
    const left = known.current.filter(
      ({ requestId }) => !here.has(requestId) && !answeredHere.current.has(requestId),
    );
    known.current = questions;
    if (left.length === 0) return;
    setGone((before) => [...before, ...left].slice(-mostShown));
    setTimeout(() => {
      setGone((before) => before.filter((question) => !left.includes(question)));
    }, shownMs);
  }, [questions, answeredHere]);
  return gone.map((question) => {
    const found = settled.find(({ requestId }) => requestId === question.requestId);
    return { question, ...(found !== undefined && { settled: found }) };
  });
}
