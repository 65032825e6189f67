import type { HubSession } from '@parley/host/hub';
import { runningTurn, type SessionState } from '@parley/host/state';

/**
 * How far stopping a turn has come. `asked`: the agent was asked to end it. `request-cancelled`: it has not, and its
 * request was cancelled. `agent-ended`: it did not end it in time, and was ended itself.
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

/** What Escape does. `arm`: pressed once more, it stops. `hurry`: what is being stopped is not waited for. */
export type EscapeAction = 'nothing' | 'arm' | 'stop' | 'hurry';

/** How soon Escape is pressed once more. */
export const escapeWindowMs = 2000;

/** What is known when Escape is pressed. */
export interface EscapeMoment {
  readonly step: StopStep;
  readonly now: number;
  /** When it was pressed before, and meant stopping. */
  readonly armedAt?: number;
}

/** What Escape does now. One press stops nothing: users press it to leave anything. */
export function judgeEscape({ step, now, armedAt }: EscapeMoment): EscapeAction {
  if (step === 'none' || step === 'agent-ended') return 'nothing';
  const isAgain = armedAt !== undefined && now - armedAt <= escapeWindowMs;
  if (!isAgain) return 'arm';
  return step === 'running' ? 'stop' : 'hurry';
}
