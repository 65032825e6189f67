import { metaOf, type Meta } from './meta.ts';

/** The position of a request in a distributed trace, as in W3C Trace Context and Baggage. */
export interface TraceContext {
  readonly traceparent?: unknown;
  readonly tracestate?: unknown;
  readonly baggage?: unknown;
}

/** Returns the trace context of a request. ACP v1, Extensibility: the three keys are reserved in `_meta`. */
export function traceContextOf(params: unknown): TraceContext | undefined {
  const meta = metaOf(params);
  if (meta === undefined) return undefined;
  const { traceparent, tracestate, baggage } = meta;
  if (traceparent === undefined && tracestate === undefined && baggage === undefined) return undefined;
  return {
    ...(traceparent !== undefined && { traceparent }),
    ...(tracestate !== undefined && { tracestate }),
    ...(baggage !== undefined && { baggage }),
  };
}

/**
 * Adds the trace context to the `_meta` of params; existing keys are preserved. `_meta` comes first, so that the lines of a
 * stream of updates differ only at the end.
 */
export function withTraceContext<Params extends object>(params: Params, trace: TraceContext): Params {
  return Object.assign({ _meta: undefined }, params, { _meta: { ...trace, ...metaOf(params) } });
}

/** The `_meta` without the trace context, which concerns only the two sides of a connection. */
export function withoutTraceContext(meta: Meta): Meta | undefined {
  for (const key in meta) {
    if (isTraceKey(key)) continue;
    const { traceparent: _parent, tracestate: _state, baggage: _baggage, ...rest } = meta;
    return rest;
  }
  return undefined;
}

function isTraceKey(key: string): boolean {
  return key === 'traceparent' || key === 'tracestate' || key === 'baggage';
}
