import type { SettledQuestion } from '@parley/host/hub';
import type { Texts } from '../text/en.ts';

/** What a question was answered, in the words of the interface; in those of the agent, where it was one of its options. */
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
