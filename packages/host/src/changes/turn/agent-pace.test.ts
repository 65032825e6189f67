import { expect, test } from 'vitest';
import type { ChangesEvent } from '../../event/changes-event.ts';
import type { HostEvent } from '../../event/host-event.ts';
import { AgentPace } from './agent-pace.ts';

const chunk: HostEvent = {
  type: 'update',
  sessionId: 's',
  update: {},
  text: undefined,
  view: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'a' } },
  late: false,
  replay: false,
};
const replayed: HostEvent = { ...chunk, replay: true };
const start: HostEvent = { type: 'turn-start', sessionId: 's', turnId: 't', prompt: [] };

function changes(reported: boolean): ChangesEvent {
  const file = { path: 'a', status: 'added', additions: 1, deletions: 0, binary: false, reported } as const;
  const { sessionId, turnId } = { sessionId: 's', turnId: 't' };
  return {
    type: 'changes',
    sessionId,
    turn: 1,
    turnId,
    before: '1',
    after: '2',
    files: [file],
    omitted: [],
    startedAt: 0,
  };
}

/** The pace after turns that each begin at 1,000 ms, with checkpoints of 50 ms. */
function paceAfter(...turns: readonly (readonly [HostEvent, number][])[]): AgentPace {
  const pace = new AgentPace();
  for (const events of turns) {
    pace.checkpointed(50);
    pace.sent(1000);
    for (const [event, time] of events) pace.note(event, () => time);
    pace.ended(undefined, 9000);
  }
  return pace;
}

test('an agent is slower than checkpoints if its first act always came four times later, and not before it was seen to be', () => {
  expect(paceAfter().isSlowerThanCheckpoints).toBe(false);
  const unused = new AgentPace();
  unused.checkpointed(50);
  expect(unused.isSlowerThanCheckpoints).toBe(false);
  expect(paceAfter([[chunk, 1300]]).isSlowerThanCheckpoints).toBe(true);
  expect(paceAfter([[chunk, 1299]]).isSlowerThanCheckpoints).toBe(false);
  expect(paceAfter([]).isSlowerThanCheckpoints).toBe(true);
  expect(paceAfter([[chunk, 1005]], [[chunk, 2000]]).isSlowerThanCheckpoints).toBe(false);
  expect(paceAfter([[chunk, 2000]], [[chunk, 1005]]).isSlowerThanCheckpoints).toBe(false);
});

test('only what the agent does counts: no event of the host, and no history that is loaded', () => {
  const events: readonly [HostEvent, number][] = [
    [start, 1001],
    [replayed, 1002],
    [chunk, 5000],
    [chunk, 5001],
  ];

  expect(paceAfter(events).isSlowerThanCheckpoints).toBe(true);
});

test('a longer checkpoint needs a slower agent', () => {
  const pace = paceAfter([[chunk, 2000]]);

  pace.checkpointed(240);

  expect(pace.isSlowerThanCheckpoints).toBe(false);
});

test('an agent that changed a file without a report may have done so at any time', () => {
  const pace = paceAfter([[chunk, 5000]]);
  pace.ended(changes(true), 9000);
  expect(pace.isSlowerThanCheckpoints).toBe(true);

  pace.ended(changes(false), 9000);

  expect(pace.isSlowerThanCheckpoints).toBe(false);
});

test('as long as no checkpoint was measured, none is known to be fast enough', () => {
  const pace = new AgentPace();
  pace.sent(1000);
  pace.ended(undefined, 9000);
  expect(pace.isSlowerThanCheckpoints).toBe(false);

  pace.checkpointed(50);

  expect(pace.isSlowerThanCheckpoints).toBe(true);
});
