import { expect, test } from 'vitest';
import { traceContextOf, withTraceContext } from './trace-context.ts';

test.each([undefined, null, 1, [], {}, { _meta: null }, { _meta: [] }, { _meta: { other: 1 } }])(
  '%j comes from no trace',
  (params) => {
    expect(traceContextOf(params)).toBeUndefined();
  },
);

test('a trace context is the values of the three reserved keys, and nothing else', () => {
  const params = { _meta: { traceparent: 'p', baggage: 'b', private: 1 } };
  expect(traceContextOf(params)).toEqual({ traceparent: 'p', baggage: 'b' });
});

test('params get the trace context, and keep what they have', () => {
  const params = { a: 1, _meta: { tracestate: 'mine', other: 2 } };
  expect(withTraceContext(params, { traceparent: 'p', tracestate: 's' })).toEqual({
    a: 1,
    _meta: { traceparent: 'p', tracestate: 'mine', other: 2 },
  });
  expect(params).toEqual({ a: 1, _meta: { tracestate: 'mine', other: 2 } });
});
