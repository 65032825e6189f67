import { metaOf } from './meta.ts';

/** Where a request belongs in a distributed trace, as W3C Trace Context and Baggage write it. */
export interface TraceContext {
  readonly traceparent?: unknown;
  readonly tracestate?: unknown;
  readonly baggage?: unknown;
}

/** The trace context that a request came with. ACP v1, Extensibility: the three keys are reserved in `_meta`. */
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

/** The params with the trace context in their `_meta`; keys that are there already stay. */
export function withTraceContext<Params extends object>(params: Params, trace: TraceContext): Params {
  return { ...params, _meta: { ...trace, ...metaOf(params) } };
}
