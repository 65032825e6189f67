import type { DeskQuestion } from '@parley/host/desk';
import type { Texts } from '../text/en.ts';
import { toCallFacts, toHeadline } from './call-facts.ts';
import { toHonestLine } from './honest-text.ts';

/** A question in one line: what it is, and what it is about. */
export interface QuestionLine {
  readonly label: string;
  /** Safe to be shown as it is. */
  readonly subject: string;
}

/** Says a question in one line. */
export function toQuestionLine(question: DeskQuestion, decide: Texts['decide']): QuestionLine {
  switch (question.kind) {
    case 'permission': {
      const facts = toCallFacts(question.request.toolCall);
      return { label: decide.kinds[facts.kind], subject: toHonestLine(toHeadline(facts)) };
    }
    case 'elicitation':
      return { label: decide.asks, subject: toHonestLine(question.request.message) };
    case 'sign-in':
      return { label: decide.signInTo(toHonestLine(question.agent)), subject: '' };
  }
}
