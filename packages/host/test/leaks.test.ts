import { readdirSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { approve, isPosix, running } from './harness.ts';
import { meet, type Meeting } from './meet.ts';

type Way = readonly [fault: string, meeting?: Meeting];

/** The ways of an agent to go, each a fault of `packages/conformance/src/faulty-agent`. */
const ways: readonly Way[] = [
  ['none'],
  ['exit-at-start'],
  ['exit-in-new'],
  ['exit-in-prompt'],
  ['crash'],
  ['half-a-line'],
  ['closed-stdin'],
  ['child-holds-pipes'],
  ['version-7'],
  ['terminals-not-released', { policy: approve('all') }],
  ['exit-while-asking', { policy: approve('ask'), interact: { permission: () => new Promise(() => {}) } }],
  ['silent-initialize', { startTimeoutMs: 200 }],
  ['silent-prompt', { cancelAt: 'turn-start' }],
  ['silent-cancel', { prompt: 'wait', cancelAt: 'update' }],
  ['busy-loop', { cancelAt: 'update' }],
  ['none', { command: 'no-such-agent' }],
];

const agents = 200;
const atOnce = 10;
/** On the command line of everything that these agents are and start. */
const word = `leaks-${process.pid}`;

test.runIf(isPosix)(
  `${agents} agents that were ended, given up, or died leave no process, handle, timer or listener`,
  { timeout: 120_000 },
  async () => {
    // What is made once, and stays: the guard of this process, modules, the pipes of the test runner.
    await Promise.all(ways.map(([fault, meeting]) => meet(fault, meeting, word)));
    const before = await vi.waitFor(held);

    for (let met = 0; met < agents; met += atOnce) {
      const batch = Array.from(
        { length: atOnce },
        (_, index): Way => ways[(met + index) % ways.length] ?? ['none'],
      );
      await Promise.all(batch.map(([fault, meeting]) => meet(fault, meeting, word)));
    }

    // A timer of the last one may still be on its way.
    await vi.waitFor(() => expect(held()).toEqual(before), { timeout: 5000 });
    expect(running(word)).toEqual([]);
  },
);

/** What this process holds: handles, open files, listeners. */
function held(): object {
  return {
    handles: process.getActiveResourcesInfo().toSorted(),
    files: process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0,
    listeners: Object.fromEntries(process.eventNames().map((name) => [name, process.listenerCount(name)])),
  };
}
