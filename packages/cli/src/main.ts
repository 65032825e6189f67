import { setTimeout as delay } from 'node:timers/promises';
import { start } from './start.ts';

/** How long the last output waits for its reader at exit. */
const lastWordsMs = 500;

// A reader that goes away is noticed where something is written; here it is only kept from being a crash.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

void main();

// Not at the top level: tests bundle the command as a script, which cannot wait there.
async function main(): Promise<never> {
  const [, , ...words] = process.argv;
  process.exitCode = await start(words, process);
  // Nothing that is still open must keep the command alive: not the terminal, nor an unread pipe.
  await Promise.race([Promise.all([flushed(process.stdout), flushed(process.stderr)]), delay(lastWordsMs)]);
  return process.exit();
}

/** Settles when everything that was written has left, or cannot any more. */
function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.once('error', () => {
      resolve();
    });
    stream.write('', () => {
      resolve();
    });
  });
}
