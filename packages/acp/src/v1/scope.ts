import { RpcError } from '@parley/wire';
import { acpCodes } from '../acp-error.ts';
import { type TraceContext, withTraceContext } from '../trace-context.ts';

/** On whose behalf something is sent: a request of the peer that is being handled, or none. */
export interface Scope {
  /** Aborted when that request is cancelled. */
  readonly signal?: AbortSignal;
  /** The trace that it belongs to. */
  readonly trace?: TraceContext;
  /** Cancels the turn, where it is one. */
  readonly cancelTurn?: () => void;
}

/** Nothing that is being handled. */
export const noScope: Scope = {};

/** Params with the trace context of their scope. */
export function inTrace<Params extends object>(params: Params, { trace }: Scope): Params {
  return trace === undefined ? params : withTraceContext(params, trace);
}

/**
 * The signal for a request: the caller's own, and that of its scope. In a scope that is cancelled already the caller
 * is cleaning up, and is not kept from it.
 */
export function signalIn({ signal }: Scope, own: AbortSignal | undefined): AbortSignal | undefined {
  if (signal === undefined || signal.aborted) return own;
  return own === undefined ? signal : AbortSignal.any([own, signal]);
}

/** Whether an error says that a request was cancelled. */
export function isCancellation(error: unknown): boolean {
  return error instanceof RpcError && error.code === acpCodes.requestCancelled;
}
