import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import process from 'node:process';

/**
 * Takes a checkpoint and is killed before a file is written, renamed, linked, copied or removed: the one with this number. Prints how many there
 * were.
 */
const [, , workspace = '', stateDir = '', killAt = '0'] = process.argv;
let steps = 0;

function step(): void {
  steps += 1;
  if (steps === Number(killAt)) process.kill(process.pid, 'SIGKILL');
}

for (const name of ['writeFile', 'rename', 'copyFile', 'rm', 'link', 'mkdir'] as const) {
  const original: (...args: never[]) => Promise<unknown> = fs.promises[name];
  Object.assign(fs.promises, {
    [name]: async (...args: never[]) => {
      step();
      return await original(...args);
    },
  });
}
syncBuiltinESMExports();

const { openCheckpoints } = await import('./checkpoints.ts');
await using checkpoints = await openCheckpoints({ workspace, stateDir });
steps = 0;
// As before a restore: with a file that is not covered otherwise.
await checkpoints.take({ including: ['a/b', 'ignored'] });
process.stdout.write(String(steps));
