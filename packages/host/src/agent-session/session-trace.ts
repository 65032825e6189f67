import { randomBytes } from 'node:crypto';
import type { TraceContext } from '@parley/acp';

/** The distributed trace of one session. */
export interface SessionTrace {
  /** Returns the trace context of the next request. */
  next(): TraceContext;
  /** Whether this trace context was created here rather than by the caller. */
  isOwn(trace: TraceContext): boolean;
}

/**
 * The trace of a session. A given trace is passed on unchanged, because Parley creates no span in it. Otherwise a
 * trace is created for the session, so that logs of the agent and its servers can be found.
 */
export function createSessionTrace(given?: TraceContext): SessionTrace {
  if (given !== undefined) return { next: () => given, isOwn: () => false };
  const traceId = randomBytes(16).toString('hex');
  // W3C Trace Context: version 00, and a parent of its own for each request; 01 leaves it to the agent to record it.
  const start = `00-${traceId}-`;
  return {
    next: () => ({ traceparent: `${start}${randomBytes(8).toString('hex')}-01` }),
    isOwn: ({ traceparent }) => typeof traceparent === 'string' && traceparent.startsWith(start),
  };
}

/** The trace as an event has it: the outcome of a turn elsewhere is found by it. */
export function traceparentOf({ traceparent }: TraceContext): { readonly traceparent?: string } {
  return typeof traceparent === 'string' ? { traceparent } : {};
}
