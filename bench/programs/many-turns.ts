import { rm } from 'node:fs/promises';
import type { CodingPair } from './coding-pair.ts';
import { settledHeap } from './heap.ts';

/**
 * Prints how much heap a session holds after half of its turns and after all, each turn reading a file once. Before
 * that the machine code still grows, which belongs to no session.
 */
export async function reportManyTurns(open: (count: number) => Promise<CodingPair>): Promise<void> {
  const [, , turns = '0'] = process.argv;
  const { sessions, folder, prompt, close } = await open(1);
  const [sessionId = ''] = sessions;
  const run = async (count: number): Promise<number> => {
    for (let turn = 0; turn < count; turn++) await prompt(sessionId, '1');
    return settledHeap();
  };
  const early = await run(Math.round(Number(turns) / 2));
  const late = await run(Number(turns) - Math.round(Number(turns) / 2));
  await close();
  await rm(folder, { recursive: true, force: true });
  console.log(JSON.stringify({ late, growth: late / early }));
}
