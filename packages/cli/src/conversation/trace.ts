import type { TraceContext } from '@parley/acp';
import type { Variables } from '../configuration/places.ts';

/**
 * The trace of this command, from the environment variables that programs pass on, named like the headers of W3C
 * Trace Context and Baggage. Parley creates no span of its own and passes the trace on unchanged. Without one, each
 * session is a separate trace.
 */
export function traceIn(env: Variables): TraceContext | undefined {
  const { TRACEPARENT: traceparent = '', TRACESTATE: tracestate = '', BAGGAGE: baggage = '' } = env;
  // W3C Trace Context: a version ff and ids of nothing but zeros are invalid, and without a parent the state is nothing.
  if (!/^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:-.*)?$/.test(traceparent)) {
    return undefined;
  }
  return {
    traceparent,
    ...(tracestate !== '' && { tracestate }),
    ...(baggage !== '' && { baggage }),
  };
}
