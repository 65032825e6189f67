import { expect, test } from 'vitest';
import { parseLoggedEvent } from './parse-logged-event.ts';

const update = { seq: 1, time: 2, type: 'update', update: { sessionUpdate: 'notice' } };

test.for([
  {},
  { subagent: 'sub', meta: {}, late: true, replay: true },
  { aap: { turnId: 'turn', from: 1 } },
  { aap: { turnId: 'turn', from: 1, lengths: [3, 4] } },
  { another: 'field' },
])('an update with %j is read as it is', (fields) => {
  const event = { ...update, ...fields };
  expect(parseLoggedEvent(event)).toBe(event);
});

test.for([
  { subagent: 1 },
  { subagent: null },
  { meta: [] },
  { late: 1 },
  { replay: 'yes' },
  { aap: [] },
  { aap: { turnId: 'turn' } },
  { aap: { turnId: 'turn', from: 1, lengths: ['3'] } },
  { type: 'update of another version' },
  { type: 'toString' },
])('an event with %j is unknown, and kept', (fields) => {
  const event = { ...update, ...fields };
  expect(parseLoggedEvent(event)).toEqual({ seq: 1, time: 2, type: 'unknown', raw: event });
});

test.for([undefined, null, [update], 'update', { ...update, seq: 1.5 }, { ...update, time: '2' }])(
  '%j is no event',
  (value) => {
    expect(parseLoggedEvent(value)).toBeUndefined();
  },
);
