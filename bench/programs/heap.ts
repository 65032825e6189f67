/** Pairs made before measuring: the machine code that grows with the first ones belongs to none of them. */
const warmUp = 500;

/** Prints how much heap one pair of connected sides takes; `connect` gives a pair that has opened a session. */
export async function reportHeap(connect: () => Promise<unknown>): Promise<void> {
  const [, , count = '0'] = process.argv;
  const kept: unknown[] = [];
  for (let index = 0; index < warmUp; index++) kept.push(await connect());
  const before = await settledHeap();
  for (let index = 0; index < Number(count); index++) kept.push(await connect());
  const bytes = ((await settledHeap()) - before) / Number(count);
  console.log(JSON.stringify({ bytes, kept: kept.length }));
}

/** The heap that is left when nothing can be collected any more. */
export async function settledHeap(): Promise<number> {
  if (globalThis.gc === undefined) throw new Error('run with --expose-gc');
  for (let pass = 0; pass < 4; pass++) {
    globalThis.gc();
    await new Promise(setImmediate);
  }
  return process.memoryUsage().heapUsed;
}
