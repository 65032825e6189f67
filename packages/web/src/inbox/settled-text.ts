import type { SettledQuestion } from '@parley/host/hub';
import type { Texts } from '../text/en.ts';

/** The answer to a question, translated; in the agent's words if it was one of its options. */
export function settledText(
  { answer, outcome }: SettledQuestion,
  { decisionFor, formOutcomes, dismissed }: Texts['inbox'],
): string | undefined {
  switch (answer?.kind) {
    case 'remember':
      return decisionFor(answer.decision, answer.scope);
    case 'form':
      return formOutcomes[answer.action];
    case 'cancel':
      return dismissed;
    case undefined:
      return outcome;
  }
}
