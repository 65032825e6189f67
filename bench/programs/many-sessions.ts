import { rm } from 'node:fs/promises';
import type { CodingPair } from './coding-pair.ts';
import { settledHeap } from './heap.ts';

/** Prints what so many sessions in one process take: heap for each, and the time of a turn in all of them at once. */
export async function reportManySessions(open: (count: number) => Promise<CodingPair>): Promise<void> {
  const [, , count = '0'] = process.argv;
  const turnInEach = async ({ sessions, prompt }: CodingPair): Promise<void> => {
    await Promise.all(sessions.map((sessionId) => prompt(sessionId, '1')));
  };
  // The machine code that grows with the first ones belongs to none of them.
  const first = await open(20);
  await turnInEach(first);
  await first.close();
  const before = await settledHeap();
  const all = await open(Number(count));
  await turnInEach(all);
  const bytes = ((await settledHeap()) - before) / Number(count);
  const start = performance.now();
  await turnInEach(all);
  const turnMicros = ((performance.now() - start) * 1000) / Number(count);
  await all.close();
  for (const { folder } of [first, all]) await rm(folder, { recursive: true, force: true });
  console.log(JSON.stringify({ bytes, turnMicros }));
}
