import type { HubSession } from '@parley/host/hub';
import { runningTurn, type SessionState } from '@parley/host/state';

/**
 * The progress of stopping a turn. `asked`: the agent was asked to end it. `request-cancelled`: it did not, and its
 * request was cancelled. `agent-ended`: it did not end the turn in time, and was ended itself.
 */
export type StopStep = 'none' | 'running' | 'asked' | 'request-cancelled' | 'agent-ended';

/** The steps of stopping, in their order. */
export const stopSteps = ['asked', 'request-cancelled', 'agent-ended'] as const;

/** Whether a turn runs that can be stopped, and how far stopping it is. */
export function stopStep(session: Pick<HubSession, 'state'> | undefined, view: SessionState): StopStep {
  switch (session?.state) {
    case 'running':
    case 'waiting':
    case 'stopping': {
      const turn = runningTurn(view);
      if (turn === undefined) return session.state === 'stopping' ? 'none' : 'running';
      return turn.cancel ?? (session.state === 'stopping' ? 'asked' : 'running');
    }
    case 'kept':
    case 'elsewhere':
    case 'starting':
    case 'ready':
    case 'failed':
    case undefined:
      return 'none';
  }
}

/** The effect of Escape. `arm`: a second press stops the turn. `hurry`: stops waiting for the agent. */
export type EscapeAction = 'nothing' | 'arm' | 'stop' | 'hurry';

/** Time limit for the second press of Escape. */
export const escapeWindowMs = 2000;

/** The state when Escape is pressed. */
export interface EscapeMoment {
  readonly step: StopStep;
  readonly now: number;
  /** When it was pressed before, and meant stopping. */
  readonly armedAt?: number;
}

/** The effect of Escape. A single press never stops a turn, because users press it to leave anything. */
export function judgeEscape({ step, now, armedAt }: EscapeMoment): EscapeAction {
  if (step === 'none' || step === 'agent-ended') return 'nothing';
  const isAgain = armedAt !== undefined && now - armedAt <= escapeWindowMs;
  if (!isAgain) return 'arm';
  return step === 'running' ? 'stop' : 'hurry';
}
