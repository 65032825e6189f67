import { WorkspaceError } from '@parley/workspace';
import { openAapStore } from '../src/index.ts';

const [, , folder = '', job] = process.argv;
const store = await openAapStore(folder);

/** Adds for ever, and says a dot for each addition that was confirmed. */
async function addEndlessly(): Promise<void> {
  for (let number = 0; ; number += 1) {
    await store.append('session', [number, number, number], { head: number, durable: number % 10 === 0 });
    process.stdout.write('.');
  }
}

/** Writes until the disk is full, then writes a smaller record. */
async function fill(): Promise<void> {
  const kept: string[] = [];
  const add = async (record: string): Promise<string> => {
    try {
      await store.append('session', [record], { head: kept.length });
      kept.push(record);
      return 'kept';
    } catch (error) {
      return error instanceof WorkspaceError ? error.code : String(error);
    }
  };
  let refused = 'kept';
  for (let number = 0; refused === 'kept'; number += 1) refused = await add(String(number).padEnd(3000));
  await add('small');
  await store.close();
  process.stdout.write(JSON.stringify({ kept, refused }));
}

await (job === 'full' ? fill() : addEndlessly());
