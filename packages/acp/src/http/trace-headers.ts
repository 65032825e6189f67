import { isObject } from '../schema/value.ts';
import { traceContextOf, withTraceContext, type TraceContext } from '../trace-context.ts';

const names = ['traceparent', 'tracestate', 'baggage'] as const;

/** The trace that an HTTP request is part of. Source: W3C Trace Context, Baggage. */
export function traceFrom(headers: Headers): TraceContext | undefined {
  const found = names.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** The headers for the trace that a message is part of, as far as a header can hold it. */
export function traceHeadersOf(message: unknown): Record<string, string> {
  const trace = isObject(message) ? traceContextOf(message['params']) : undefined;
  if (trace === undefined) return {};
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = trace[name];
      return typeof value === 'string' && headerText.test(value) ? [[name, value] as const] : [];
    }),
  );
}

/** A call with the trace in the `_meta` of its params; an answer, and keys that are there already, stay. */
export function withTrace(message: unknown, trace: TraceContext | undefined): unknown {
  if (trace === undefined || !isObject(message) || typeof message['method'] !== 'string') return message;
  const { params } = message;
  if (params !== undefined && (!isObject(params) || Array.isArray(params))) return message;
  return { ...message, params: withTraceContext(params ?? {}, trace) };
}

const headerText = /^[\x21-\x7e][\x20-\x7e]{0,8190}$/;
