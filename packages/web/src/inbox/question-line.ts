import type { HubQuestion } from '@parley/host/hub';
import { headlineOf, toHonestLine } from '@parley/host/state';
import type { Texts } from '../text/en.ts';

/** A question in one line: its kind and its subject. */
export interface QuestionLine {
  readonly label: string;
  /** Safe to be shown as it is. */
  readonly subject: string;
}

/** Says a question in one line. */
export function toQuestionLine(question: HubQuestion, inbox: Texts['inbox']): QuestionLine {
  switch (question.kind) {
    case 'permission': {
      const { action } = question;
      return { label: inbox.kinds[action.kind], subject: toHonestLine(headlineOf(action)) };
    }
    case 'elicitation':
      return { label: inbox.asks, subject: toHonestLine(question.request.message) };
    case 'sign-in':
      return { label: inbox.signInTo(toHonestLine(question.agent)), subject: '' };
  }
}
