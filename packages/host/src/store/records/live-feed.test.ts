import { open, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { fullDisk } from '@parley/conformance';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { EventLog } from '../event-log.ts';
import { filesStore } from '../files/files-store.ts';
import type { SessionStore } from '../session-store.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';

function own(store: SessionStore): Promise<EventLog> {
  return store.open('one', {
    start: { agent: 'test', cwd: '/', program: 'test' },
    onFailure: () => undefined,
  });
}

function say(eventLog: EventLog, text: string): number {
  const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } };
  return eventLog.append({ type: 'update', update }, JSON.stringify(update)).seq;
}

/** A follower, and the numbers that it has seen. */
interface Watched {
  readonly numbers: number[];
  /** Settles when it has seen this number. */
  seen(seq: number): Promise<void>;
}

function watch(
  store: SessionStore,
  pause: () => Promise<void> | undefined = () => undefined,
  after = 0,
): Watched {
  const enough = new AbortController();
  onTestFinished(() => enough.abort());
  const numbers: number[] = [];
  let look = (): void => {};
  const following = async (): Promise<void> => {
    for await (const { events } of store.follow('one', { after, signal: enough.signal })) {
      numbers.push(...events.map(({ seq }) => seq));
      look();
      await pause();
    }
  };
  const followed = following();
  return {
    numbers,
    seen: (seq) =>
      Promise.race([
        followed,
        new Promise<void>((resolve) => {
          look = () => {
            if ((numbers.at(-1) ?? 0) >= seq) resolve();
          };
          look();
        }),
      ]),
  };
}

/** Counts how often a file is read. */
async function countReads(directory: string): Promise<{ readonly count: number }> {
  await using anyFile = await open(join(directory, 'any'), 'w');
  const handles: FileHandle = Object.getPrototypeOf(anyFile);
  const read = vi.spyOn(handles, 'read');
  onTestFinished(() => {
    read.mockRestore();
  });
  return {
    get count() {
      return read.mock.calls.length;
    },
  };
}

function upTo(last: number): readonly number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}

test('appended events reach followers in the same process without reading the file', async () => {
  const directory = await temporaryFolder();
  const store = filesStore(directory);
  const eventLog = await own(store);
  const watched = [1, 2, 3].map(() => watch(store));
  const first = say(eventLog, 'first');
  for (const { seen } of watched) await seen(first);

  const reads = await countReads(directory);
  let last = first;
  for (let count = 0; count < 100; count += 1) {
    last = say(eventLog, String(count));
    if (count % 9 === 0) for (const { seen } of watched) await seen(last);
  }
  for (const { seen } of watched) await seen(last);

  expect(reads.count).toBe(0);
  for (const { numbers } of watched) expect(numbers).toEqual(upTo(last));
  await eventLog.close();
});

test('a follower that has all events does not read the file', async () => {
  const directory = await temporaryFolder();
  const store = filesStore(directory);
  const eventLog = await own(store);
  const known = say(eventLog, 'first');

  const reads = await countReads(directory);
  const isCaughtUp = new AbortController();
  for await (const part of store.follow('one', { after: known, signal: isCaughtUp.signal })) {
    expect(part).toEqual({ events: [], isAtEnd: true });
    break;
  }
  const watched = watch(store, undefined, known);
  const joined = say(eventLog, 'while it joins');
  await watched.seen(joined);
  const last = say(eventLog, 'afterwards');
  await watched.seen(last);
  expect(reads.count).toBe(0);
  expect(watched.numbers).toEqual([joined, last]);

  // The next owner may be another process, so what it stores is in the file.
  await eventLog.close();
  const next = await own(filesStore(directory));
  const latest = say(next, 'of the next owner');
  await watched.seen(latest);
  expect(watched.numbers).toEqual([joined, last, latest]);
  await next.close();
});

test('an event is in the file before a follower sees it', async () => {
  const directory = await temporaryFolder();
  const store = filesStore(directory);
  const eventLog = await own(store);
  const watched = watch(store);
  await watched.seen(say(eventLog, 'first'));
  await writeFile(join(directory, 'any'), '');
  await using disk = await fullDisk(join(directory, 'any'));

  disk.isFull = true;
  const refused = disk.refused();
  const last = say(eventLog, 'second');
  await refused;
  await expect(eventLog.stored()).rejects.toMatchObject({ code: 'no-space' });
  expect(watched.numbers).toEqual([1, 2]);
  disk.isFull = false;
  await eventLog.stored();
  await watched.seen(last);
  expect(watched.numbers).toEqual([1, 2, 3]);
  await eventLog.close();
});

test('a follower that is far behind reads from the file, and from memory when it has caught up', async () => {
  const directory = await temporaryFolder();
  const store = filesStore(directory);
  const eventLog = await own(store);
  let resume = (): void => {};
  let paused: Promise<void> | undefined;
  const slow = watch(store, () => paused);
  const fast = watch(store);
  const first = say(eventLog, 'first');
  await slow.seen(first);
  await fast.seen(first);

  paused = new Promise((resolve) => {
    resume = resolve;
  });
  const reads = await countReads(directory);
  let last = 0;
  for (let count = 0; count < 400; count += 1) {
    last = say(eventLog, 'x'.repeat(10_000));
    if (count % 20 === 0) await fast.seen(last);
  }
  await fast.seen(last);
  expect(reads.count).toBe(0);
  paused = undefined;
  resume();
  await slow.seen(last);
  expect(reads.count).toBeGreaterThan(0);
  await slow.seen(say(eventLog, 'after'));
  const { count } = reads;
  last = say(eventLog, 'and after');
  await slow.seen(last);
  await fast.seen(last);

  expect(reads.count).toBe(count);
  expect(slow.numbers).toEqual(upTo(last));
  expect(fast.numbers).toEqual(upTo(last));
  await eventLog.close();
});

test('an event that cannot be stored is an omission for followers, as in the file', async () => {
  const store = filesStore(await temporaryFolder());
  const eventLog = await own(store);
  const watched = watch(store);
  await watched.seen(say(eventLog, 'first'));
  eventLog.append({ type: 'update', update: 10n });
  await watched.seen(say(eventLog, 'after'));
  expect(watched.numbers).toEqual([1, 2, 3, 4]);
  await eventLog.close();
});
