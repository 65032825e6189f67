import type { DeskQuestion, SettledQuestion } from '@parley/host/desk';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { useDesk } from '../desk/use-desk.ts';

/** A question that has just ceased to wait, without an answer from here. */
export interface Departure {
  readonly question: DeskQuestion;
  /** Absent where nobody knows. */
  readonly settled?: SettledQuestion;
}

/** How long it is said what became of a question. */
const shownMs = 5000;

/** How many are said at a time. */
const mostShown = 3;

/** The questions that were answered elsewhere, or are not wanted any more, for a moment. */
export function useDepartures(
  questions: readonly DeskQuestion[],
  answeredHere: RefObject<ReadonlySet<string>>,
): readonly Departure[] {
  const { settled } = useDesk();
  const known = useRef(questions);
  const [gone, setGone] = useState<readonly DeskQuestion[]>([]);
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
