import { setTimeout as delay } from 'node:timers/promises';

/** Settles when all of it has settled, or after a while: a database that does not answer must not hold the end of a process. */
export async function within(ms: number, work: readonly (Promise<unknown> | undefined)[]): Promise<void> {
  const end = new AbortController();
  const timeout = delay(ms, undefined, { signal: end.signal }).catch(() => undefined);
  await Promise.race([Promise.allSettled(work.map((each) => Promise.resolve(each))), timeout]);
  end.abort();
}
