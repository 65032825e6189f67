import type { StopReason } from '@parley/acp';
import type { CliErrorCode } from './cli-error.ts';

/** The exit statuses; scripts rely on the numbers. */
export const exitStatus = {
  done: 0,
  failed: 1,
  usage: 2,
  unanswered: 3,
  maxTurnRequests: 4,
  refusal: 5,
  /** Something would be lost, or is in use. */
  refused: 5,
  maxTokens: 6,
  authenticationNeeded: 7,
  timeout: 124,
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const;

/** The status of a turn which ended with this stop reason, when nothing else decides. */
export function statusOfStopReason(stopReason: StopReason): number {
  switch (stopReason) {
    case 'end_turn':
      return exitStatus.done;
    case 'max_turn_requests':
      return exitStatus.maxTurnRequests;
    case 'refusal':
      return exitStatus.refusal;
    case 'max_tokens':
      return exitStatus.maxTokens;
    // Although it was not requested.
    case 'cancelled':
    // A reason which is newer than this program.
    case 'unknown':
      return exitStatus.failed;
  }
}

/** The status of a command that ended with one of our own errors. */
export function statusOfError(code: CliErrorCode): number {
  switch (code) {
    case 'usage':
    case 'configuration':
    case 'not-offered':
      return exitStatus.usage;
    case 'unanswered':
      return exitStatus.unanswered;
    case 'refused':
      return exitStatus.refused;
    case 'setup-failed':
    case 'no-hub':
    case 'hub-refused':
    case 'hub-lost':
    case 'model-failed':
    case 'output-closed':
      return exitStatus.failed;
    case 'timeout':
      return exitStatus.timeout;
    case 'interrupted':
      return exitStatus.interrupted;
    case 'hung-up':
      return exitStatus.hungUp;
    case 'terminated':
      return exitStatus.terminated;
  }
}
