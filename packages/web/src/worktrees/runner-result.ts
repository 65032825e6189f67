import type { ListedRunner } from '@parley/host/hub';
import type { Texts } from '../text/en.ts';

/** Whether a runner succeeded, as far as known. */
export function didWell({ state, error, stopReason, exitCode = 0 }: ListedRunner): boolean | undefined {
  if (error !== undefined) return false;
  if (stopReason === undefined) return state === 'interrupted' ? false : undefined;
  return stopReason === 'end_turn' && exitCode === 0;
}

/** How a runner ended, or where it is. */
export function resultText(
  { state, error, stopReason, exitCode }: ListedRunner,
  text: Texts['worktrees'],
  conversation: Texts['conversation'],
): string {
  if (error !== undefined) return text.failedBecause(error);
  if (stopReason === undefined) return state === 'ended' ? text.unknownValue : text.runnerStates[state];
  // The status of a run that rejected something because no user was there.
  if (exitCode === 3) return text.unanswered;
  const ends: Readonly<Record<string, string>> = conversation.turnEnds;
  return Object.hasOwn(ends, stopReason)
    ? (ends[stopReason] ?? stopReason)
    : conversation.turnEndUnknown(stopReason);
}
