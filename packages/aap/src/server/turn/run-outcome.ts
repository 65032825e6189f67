import type { RunEnd, RunStop } from '../served-agent.ts';

/** The text of a tool message for a call that may not be made; its wording is the protocol's. */
export function deniedText(reason: string | undefined): string {
  return reason === undefined || reason === '' ? 'Tool call denied' : `Tool call denied: ${reason}`;
}

/** Why a call of a tool is denied that the application did not enable. */
export const notEnabledText = 'the tool is not enabled';

/** The result of a call that was being made when its turn ended. */
export const unknownOutcomeText =
  'The outcome of this call is unknown: its turn ended before there was a result. It was not made again.';

/** The end that an agent returned, as the protocol allows it: a known stop reason, and a failure that says why. */
export function toAllowedEnd(end: RunEnd): RunEnd {
  if (!stopReasons.has(end.stopReason)) {
    return failedOutcome(
      new Error(`The agent ended its run with an unknown stop reason: ${JSON.stringify(end.stopReason)}`),
    );
  }
  if (end.stopReason === 'error' && end.error === undefined) return { ...failedOutcome(undefined), ...end };
  return end;
}

const stopReasons: ReadonlySet<unknown> = new Set<RunEnd['stopReason']>([
  'end_turn',
  'max_tokens',
  'refusal',
  'error',
]);

/** How a turn ends whose agent failed. */
export function failedOutcome(error: unknown): RunEnd {
  const message = error instanceof Error ? error.message : 'The agent failed.';
  return { stopReason: 'error', error: { code: 'agent_failed', message } };
}

/** How a turn ends that was no longer needed. */
export function stoppedOutcome(reason: RunStop, { usage }: RunEnd): RunEnd {
  return {
    stopReason: 'error',
    error: { code: reason, message: stopMessages[reason] },
    detail: reason,
    ...(usage !== undefined && { usage }),
  };
}

const stopMessages: Readonly<Record<RunStop, string>> = {
  cancelled: 'The turn was cancelled.',
  superseded: 'Another message came.',
  deleted: 'The session was deleted.',
  deadline: 'The turn took too long.',
  shutdown: 'The server ends.',
};
