import { readdirSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
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

const agents = 96;
const atOnce = 20;
/** On the command line of everything that these agents are and start. */
const word = `leaks-${process.pid}`;

test.runIf(isPosix)(
  `${agents} agents that were ended, aborted, or died leave no process, handle, timer or listener`,
  { timeout: 300_000 },
  async () => {
    // What is made once, and stays: the watchdog of this process, modules, the pipes of the test runner.
    await Promise.all(ways.map(([fault, meeting]) => meet(fault, meeting, word)));
    await setTimeout(pollMs);
    const before = held();

    for (let met = 0; met < agents; met += atOnce) {
      const batch = Array.from(
        { length: atOnce },
        (_, index): Way => ways[(met + index) % ways.length] ?? ['none'],
      );
      await Promise.all(batch.map(([fault, meeting]) => meet(fault, meeting, word)));
    }

    expect(await heldBesides(before)).toEqual([]);
    expect(running(word)).toEqual([]);
  },
);

/** How many of each sort of handle this process has, of open files, and of listeners to each event. */
function held(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const sort of process.getActiveResourcesInfo()) counts.set(sort, (counts.get(sort) ?? 0) + 1);
  for (const name of process.eventNames()) counts.set(`on ${String(name)}`, process.listenerCount(name));
  if (process.platform === 'linux') counts.set('open files', readdirSync('/proc/self/fd').length);
  return counts;
}

/** What there is more of than before. The system takes back in its own time what was closed, and reports nothing. */
async function heldBesides(before: ReadonlyMap<string, number>): Promise<readonly string[]> {
  let more: readonly string[] = [];
  for (let count = 0; count < polls; count++) {
    await setTimeout(pollMs);
    more = [...held()].flatMap(([sort, now]) => (now > (before.get(sort) ?? 0) ? [`${sort}: ${now}`] : []));
    if (more.length === 0) break;
  }
  return more;
}

const pollMs = 50;
const polls = 100;
