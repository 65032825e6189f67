import { expect, test } from 'vitest';
import { traceIn } from './trace.ts';

const parent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

test('a trace context in the environment is passed on unchanged', () => {
  expect(traceIn({ TRACEPARENT: parent })).toEqual({ traceparent: parent });
  expect(traceIn({ TRACEPARENT: parent, TRACESTATE: 'a=b', BAGGAGE: 'c=d' })).toEqual({
    traceparent: parent,
    tracestate: 'a=b',
    baggage: 'c=d',
  });
});

test.each([
  undefined,
  '',
  'x',
  parent.toUpperCase(),
  `ff${parent.slice(2)}`,
  parent.replace(/b7\w+/, '0'.repeat(16)),
])('a parent of %j is no trace', (traceparent) => {
  expect(traceIn({ TRACEPARENT: traceparent, TRACESTATE: 'a=b' })).toBeUndefined();
});
