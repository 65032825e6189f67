import type { TurnError } from '@parley/aap';
import type { RunEnd, RunStop } from '@parley/aap/server';
import { HostError, type PromptResult, type Redaction } from '@parley/host';
import { RpcError } from '@parley/wire';
import { GatewayError } from '../gateway-error.ts';

/** The end of a run whose agent responded to the prompt. */
export function toRunEnd(
  { stopReason, rawStopReason, usage, agentEnded }: PromptResult,
  stop: unknown,
): RunEnd {
  const used = usage === undefined ? {} : { usage };
  switch (stopReason) {
    case 'end_turn':
    case 'max_tokens':
    case 'refusal':
      return { stopReason, ...used };
    case 'max_turn_requests':
      // The closest value: a limit was reached, and the work may continue.
      return { stopReason: 'max_tokens', detail: 'max_turn_requests', ...used };
    case 'cancelled': {
      const detail = isRunStop(stop) ? stop : 'cancelled';
      const how = agentEnded === true ? ', and the agent had to be ended' : '';
      return {
        stopReason: 'error',
        detail,
        error: { code: detail, message: `the turn ended early: ${detail}${how}` },
        ...used,
      };
    }
    case 'unknown': {
      const message = `the agent ended its turn for an unknown reason: ${rawStopReason ?? ''}`;
      return { stopReason: 'error', error: { code: 'unknown_stop_reason', message }, ...used };
    }
  }
}

/** How a run ends that could not be carried out. */
export function toFailedEnd(error: unknown, redaction: Redaction): RunEnd {
  const { code, message } = toTurnError(error);
  return { stopReason: 'error', error: { code, message: redaction.text(message) } };
}

function toTurnError(error: unknown): TurnError {
  if (error instanceof HostError) return { code: codeOf(error), message: error.message };
  if (error instanceof GatewayError) return { code: error.code.replaceAll('-', '_'), message: error.message };
  if (error instanceof RpcError) {
    return { code: 'agent_error', message: `the agent refused: ${error.message} (${error.code})` };
  }
  return { code: 'internal_error', message: error instanceof Error ? error.message : String(error) };
}

function codeOf({ code }: HostError): string {
  switch (code) {
    case 'auth-required':
      return 'agent_auth_required';
    case 'start-failed':
    case 'start-timeout':
    case 'unsupported-version':
    case 'not-held':
      return 'agent_start_failed';
    case 'agent-exited':
      return 'agent_exited';
    case 'open-timeout':
    case 'request-timeout':
      return 'agent_timeout';
    case 'invalid-answer':
    case 'not-supported':
      return 'agent_error';
    case 'invalid-directory':
      return 'invalid_directory';
    case 'not-offered':
      return 'option_not_offered';
    case 'aborted':
      return 'cancelled';
    case 'closed':
      return 'agent_ended';
    case 'not-stored':
      return 'store_failed';
    case 'overloaded':
      return 'overloaded';
    case 'not-installed':
    case 'already-open':
    case 'handed-over':
    case 'turn-running':
    case 'nothing-to-undo':
    case 'no-checkpoint':
    case 'failed':
      return 'internal_error';
  }
}

const runStops: readonly unknown[] = [
  'cancelled',
  'superseded',
  'deleted',
  'deadline',
  'shutdown',
] satisfies readonly RunStop[];

function isRunStop(value: unknown): value is RunStop {
  return runStops.includes(value);
}
