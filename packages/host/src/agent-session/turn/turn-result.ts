import { acpCodes, type PromptResponse, type ToolCallUpdate } from '@parley/acp';
import { RpcError } from '@parley/wire';
import type { TurnEndEvent, TurnFailure } from '../../event/turn-event.ts';
import { HostError } from '../../host-error.ts';
import type { PromptResult } from '../agent-session.ts';
import { turnUsageIn } from './turn-usage.ts';

/** Converts the agent's response to a prompt. */
export function toResult(response: PromptResponse): PromptResult {
  const { stopReason, raw } = response;
  const rawStopReason = stopReason === 'unknown' ? rawStopReasonIn(raw) : undefined;
  return {
    stopReason,
    ...(rawStopReason !== undefined && { rawStopReason }),
    ...turnUsageIn(response),
    response,
  };
}

function rawStopReasonIn(raw: unknown): string | undefined {
  if (typeof raw !== 'object' || raw === null || !('stopReason' in raw)) return undefined;
  return typeof raw.stopReason === 'string' ? raw.stopReason : undefined;
}

/** How a turn ended, as an event. */
export function toTurnEnd(
  sessionId: string,
  turnId: string,
  { stopReason, rawStopReason, usage, usageFrom }: PromptResult,
): TurnEndEvent {
  return {
    type: 'turn-end',
    sessionId,
    turnId,
    stopReason,
    ...(rawStopReason !== undefined && { rawStopReason }),
    ...(usage !== undefined && { usage }),
    ...(usageFrom !== undefined && { usageFrom }),
  };
}

/** Why a turn failed, as its event says it. */
export function toTurnFailure(error: unknown): Pick<TurnFailure, 'error' | 'unknownOutcome'> {
  if (error instanceof HostError) {
    const { code, message, unknownOutcome } = error;
    return { error: { code, message }, ...(unknownOutcome !== undefined && { unknownOutcome }) };
  }
  if (error instanceof RpcError) {
    const { code, message, data } = error;
    return { error: { code, message, ...(data !== undefined && { data }) } };
  }
  return { error: { code: 'failed', message: String(error) } };
}

/** Whether the error is the response that `$/cancel_request` asks for. */
export function isCancelled(error: unknown): boolean {
  return error instanceof RpcError && error.code === acpCodes.requestCancelled;
}

/** The error of a turn whose agent has exited: the outcome of its open tool calls is unknown. */
export function ofUnknownOutcome(error: Error, openCalls: Iterable<ToolCallUpdate>): Error {
  if (!(error instanceof HostError)) return error;
  const { code, message, exitStatus, stderr } = error;
  return new HostError(code, `${message}; the outcome of its running work is unknown`, {
    cause: error,
    unknownOutcome: [...openCalls].map(({ toolCallId }) => toolCallId),
    ...(exitStatus !== undefined && { exitStatus }),
    ...(stderr !== undefined && { stderr }),
  });
}
