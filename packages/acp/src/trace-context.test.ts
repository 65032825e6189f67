import { expect, test } from 'vitest';
import { traceContextOf, withoutTraceContext, withTraceContext } from './trace-context.ts';

test.each([undefined, null, 1, [], {}, { _meta: null }, { _meta: [] }, { _meta: { other: 1 } }])(
  '%j comes from no trace',
  (params) => {
    expect(traceContextOf(params)).toBeUndefined();
  },
);

test('a trace context is exactly the values of the three reserved keys', () => {
  const params = { _meta: { traceparent: 'p', baggage: 'b', private: 1 } };
  expect(traceContextOf(params)).toEqual({ traceparent: 'p', baggage: 'b' });
});

test('params get the trace context, and keep their fields', () => {
  const params = { a: 1, _meta: { tracestate: 'mine', other: 2 } };
  expect(withTraceContext(params, { traceparent: 'p', tracestate: 's' })).toEqual({
    a: 1,
    _meta: { traceparent: 'p', tracestate: 'mine', other: 2 },
  });
  expect(params).toEqual({ a: 1, _meta: { tracestate: 'mine', other: 2 } });
});

test('the trace context precedes the params, so that the lines of a stream start alike', () => {
  expect(JSON.stringify(withTraceContext({ a: 1 }, { traceparent: 'p' }))).toBe(
    '{"_meta":{"traceparent":"p"},"a":1}',
  );
});

test('removing the trace context keeps other fields', () => {
  expect(withoutTraceContext({ traceparent: 'p', tracestate: 's', baggage: 'b', other: 1 })).toEqual({
    other: 1,
  });
  expect(withoutTraceContext({ traceparent: 'p', tracestate: 's', baggage: 'b' })).toBeUndefined();
  expect(withoutTraceContext({})).toBeUndefined();
});
