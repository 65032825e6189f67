import type { EventsNote } from '@parley/host/hub';
import { joinHub } from './hub-client.ts';
import { sharedFolder, startReplica } from './start-replica.ts';

// A replica is killed in the middle of a turn; another one takes its session over, and goes on with the prompt that waits.

const [, , command = '', url = '', folder = '', agent = '', lease = '2'] = process.argv;

const leaseSeconds = Number(lease);
const options = { command, url, folder, agent, leaseSeconds };
const one = await startReplica('one', options);
const two = await startReplica('two', options);
let events: EventsNote['events'][number][] = [];
let queued = 0;
let look: () => void = () => {};
const near = await joinHub(one);
const far = await joinHub(two, {
  onEvents: (note) => {
    events = [...events, ...note.events];
    look();
  },
  onSessions: (sessions) => {
    for (const { queue } of sessions) queued = queue.length;
    look();
  },
});
const sessionId = await near.begin('paced', sharedFolder(folder));
await far.watch(sessionId);
// A turn of hours, and one of a chunk.
far.prompt(sessionId, '1000000').catch(() => undefined);
await until(() => events.filter(({ type }) => type === 'update').length > 20);
far.prompt(sessionId, '1').catch(() => undefined);
await until(() => queued === 1);

const begun = performance.now();
await one.end('SIGKILL');
await until(() => events.some(({ type }) => type === 'interruption'));
const endedMs = performance.now() - begun;
// What followers see at first is not stored: the event after it is of the new owner.
await until(() => events.length > events.findIndex(({ type }) => type === 'interruption') + 1);
const takenMs = performance.now() - begun;
await until(() => events.some(({ type }) => type === 'turn-end'));
const goneOnMs = performance.now() - begun;
console.log(
  JSON.stringify({
    ended: endedMs / 1000 / leaseSeconds,
    taken: takenMs / 1000 / leaseSeconds,
    goneOn: goneOnMs / 1000 / leaseSeconds,
  }),
);
await two.end();
process.exit();

function until(isSo: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    look = () => {
      if (isSo()) resolve();
    };
    look();
  });
}
