import type { TraceContext } from '@parley/acp';
import type { Variables } from '../configuration/places.ts';

/**
 * The trace that this command was started in: the variables in which programs hand it on, named as the headers of W3C
 * Trace Context and Baggage are. We make no span of our own, so it goes on to the agent as it came. Without one, each
 * session is a trace of its own.
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
