import { setTimeout as delay } from 'node:timers/promises';
import { exitStatus } from './exit-status.ts';
import { start } from './start.ts';

/** How long the last output waits for its reader at exit. */
const lastWordsMs = 500;

let outputError: NodeJS.ErrnoException | undefined;

// A reader that goes away is noticed where something is written; here it is only kept from being a crash.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  outputError ??= error;
});
process.stderr.on('error', () => {});

void main();

// Not at the top level: tests bundle the command as a script, which cannot wait there.
async function main(): Promise<never> {
  const [, , ...words] = process.argv;
  process.exitCode = await start(words, process);
  // Nothing that is still open must keep the command alive: not the terminal, nor an unread pipe.
  await Promise.race([Promise.all([flushed(process.stdout), flushed(process.stderr)]), delay(lastWordsMs)]);
  if (outputError !== undefined && outputError.code !== 'EPIPE') await reportLostOutput(outputError);
  return process.exit();
}

/** Output that is lost is a failure, unless its reader did not want more of it. */
async function reportLostOutput(error: NodeJS.ErrnoException): Promise<void> {
  const { toFileReason } = await import('./input-file.ts');
  process.stderr.write(`parley: standard output: ${toFileReason(error)}\n`);
  if (process.exitCode === exitStatus.done) process.exitCode = exitStatus.failed;
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
