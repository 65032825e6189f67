import type { HubQuestion } from '@parley/host/hub';
import type { TurnState } from '@parley/host/state';

/** Whether a turn ended normally, was stopped, or failed. */
export type TurnEnding = 'good' | 'stopped' | 'bad';

/** Whether a turn failed because the user is not signed in to the agent. */
export function wantsSignIn({ error }: TurnState): boolean {
  return error?.code === 'auth-required';
}

/** Whether a session shows a card with sign-in methods, so that the failure need not mention them. */
export function offersSignIn(questions: readonly HubQuestion[], sessionKey: string): boolean {
  return questions.some(
    (question) => question.key === sessionKey && question.kind === 'sign-in' && question.methods.length > 0,
  );
}

/** How a turn ended. */
export function endingOf({ state, error, stopReason, reached }: TurnState): TurnEnding {
  if (state === 'unknown' || error !== undefined) return 'bad';
  if (stopReason === 'end_turn') return 'good';
  return stopReason === 'cancelled' && reached === undefined ? 'stopped' : 'bad';
}

/** The words for it. */
export interface EndTexts {
  readonly turnEnds: Readonly<Record<string, string>>;
  readonly turnEndUnknown: (reason: string) => string;
  readonly turnFailed: string;
  readonly turnLost: string;
  readonly turnTooLong: string;
  readonly turnTooSilent: string;
  readonly agentWasEnded: string;
}

/** How a turn ended in words, the most important ones first. */
export function describeEnd(turn: TurnState, text: EndTexts): readonly string[] {
  return [
    ...howItEnded(turn, text),
    ...(turn.reached === 'turn' ? [text.turnTooLong] : []),
    ...(turn.reached === 'silence' ? [text.turnTooSilent] : []),
    ...(turn.cancel === 'agent-ended' ? [text.agentWasEnded] : []),
  ];
}

function howItEnded({ state, error, stopReason }: TurnState, text: EndTexts): readonly string[] {
  if (state === 'unknown') return [text.turnLost];
  if (error !== undefined) return [`${text.turnFailed} (${error.code}): ${error.message}`];
  if (stopReason === undefined) return [text.turnEndUnknown('?')];
  return [
    Object.hasOwn(text.turnEnds, stopReason)
      ? (text.turnEnds[stopReason] ?? stopReason)
      : text.turnEndUnknown(stopReason),
  ];
}
