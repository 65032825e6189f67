import { randomBytes } from 'node:crypto';
import type { TraceContext } from '@parley/acp';

/** The distributed trace of one session. */
export interface SessionTrace {
  /** Where the next request stands in it. */
  next(): TraceContext;
}

/**
 * The trace that a session is part of: one that was given goes on as it came, since we make no span of our own in it.
 * Without one a trace is begun for the session, so that what the agent and its servers log about it can be found.
 */
export function createSessionTrace(given?: TraceContext): SessionTrace {
  if (given !== undefined) return { next: () => given };
  const traceId = randomBytes(16).toString('hex');
  // W3C Trace Context: version 00, and a parent of its own for each request; 01 leaves it to the agent to record it.
  return { next: () => ({ traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01` }) };
}

/** The trace as an event has it: the outcome of a turn elsewhere is found by it. */
export function traceparentOf({ traceparent }: TraceContext): { readonly traceparent?: string } {
  return typeof traceparent === 'string' ? { traceparent } : {};
}
