import { HostError, type EventPart } from '@parley/host';
import { expect, test } from 'vitest';
import { whileReachable } from './follow-records.ts';

const lost = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });

test.each([
  ['the connection is lost', lost],
  [
    'a statement has waited too long for the database',
    new HostError('failed', 'unreachable', { cause: lost }),
  ],
])('a follower goes on when %s, and ends with every other failure', async (_what, failure) => {
  const asked: (number | undefined)[] = [];
  const other = new HostError('failed', 'the log is damaged');
  const failures: readonly (Error | undefined)[] = [failure, undefined, other];
  const event = {
    seq: 1,
    time: 0,
    type: 'diagnostic',
    level: 'info',
    code: 'no-machine',
    message: 'a',
  } as const;
  const part: EventPart = { events: [event], isAtEnd: true };
  async function* follow({ after }: { readonly after?: number }): AsyncGenerator<EventPart, void, undefined> {
    const next = failures[asked.length];
    asked.push(after);
    if (next !== undefined) throw next;
    yield await Promise.resolve(part);
    throw failure;
  }
  const received: EventPart[] = [];
  const { signal } = new AbortController();
  const following = async (): Promise<void> => {
    for await (const each of whileReachable(follow, { signal })) {
      received.push(each);
    }
  };

  await expect(following()).rejects.toBe(other);
  expect(received).toEqual([part]);
  expect(asked).toEqual([0, 0, 1]);
});
