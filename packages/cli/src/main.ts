import { setTimeout as delay } from 'node:timers/promises';
import { CliError } from './cli-error.ts';
import { exitStatus, statusOfError } from './exit-status.ts';

/** How long the end of what was written may wait for its reader. A run has waited for its own before. */
const lastWordsMs = 500;

// An editor waits for `parley agent` at each start: it gets there without anything the other commands need.
const [, , ...words] = process.argv;

// The commands have a copy of it: what this process starts, by any library, cannot inherit it.
const env = { ...process.env };
delete process.env['PARLEY_TOKEN'];

// A reader that goes away is noticed where something is written; here it is only kept from being a crash.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

try {
  process.exitCode = await start(words);
} catch (error) {
  process.stderr.write(`parley: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof CliError ? statusOfError(error.code) : exitStatus.failed;
}
// Nothing that is still open must keep the command alive: not the terminal, nor an unread pipe.
await Promise.race([Promise.all([flushed(process.stdout), flushed(process.stderr)]), delay(lastWordsMs)]);
process.exit();

async function start(typed: readonly string[]): Promise<number> {
  if (typed[0] === 'agent' && !typed.includes('--help') && !typed.includes('-h')) {
    const { agentCommand } = await import('./agent-command.ts');
    return agentCommand(typed.slice(1));
  }
  const { program } = await import('./program.ts');
  return program(typed, {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env,
    cwd: process.cwd(),
  });
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
