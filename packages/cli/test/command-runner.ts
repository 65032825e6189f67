// A process that runs `parley` again and again, one command at a time: starting Node and loading the command takes most of the
// time of most commands. The global set-up bundles it with the command. Between two commands nothing is the same but
// the process: each has its own environment, folder, input and output, and its limits count from its own start. Where a
// command has left something open, the process ends with it, as that of the command would.
import { readFileSync } from 'node:fs';
import { PassThrough, Writable } from 'node:stream';
import { endWatchdog } from '@parley/workspace';
import { start } from '../src/start.ts';
import type { CommandToRun, EndedCommand } from './run-command.ts';

process.on('disconnect', () => process.exit());
process.on('message', (command: CommandToRun) => void run(command));
process.on('warning', (warning) => {
  stderr.write(`${String(warning)}\n`);
});

let stdout = collector();
let stderr = collector();
// Is there from the beginning, so that it is nothing that a command has left.
process.stderr.on('error', () => {});

async function run({ file, words, cwd, env, input }: CommandToRun): Promise<void> {
  const startedAt = performance.now();
  stdout = collector();
  stderr = collector();
  process.chdir(cwd);
  process.argv = [process.execPath, file, ...words];
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  const stdin = new PassThrough();
  stdin.end(input);
  const status = await start(words, { stdin, stdout, stderr, startedAt });
  process.chdir('/');
  await endWatchdog();
  const isReusable = await endsAll();
  const ended: EndedCommand = { status, stdout: stdout.text(), stderr: stderr.text(), isReusable };
  process.send?.(ended, () => {
    if (!isReusable) process.exit();
  });
}

/** Whether nothing of a command is left after a moment in which what it has closed comes to its end. */
async function endsAll(): Promise<boolean> {
  for (let looks = 0; looks < 50; looks += 1) {
    if (!leavesSomething()) return true;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return false;
}

/** Whether there is what would end with the process: handles, listeners of signals, child processes. */
function leavesSomething(): boolean {
  return (
    process.getActiveResourcesInfo().length > ownResources ||
    process.eventNames().some((name) => String(name).startsWith('SIG')) ||
    hasChildren()
  );
}

/** The connection to the tests, and standard error. */
const ownResources = 2;

/** Whether a child process is left. Where the system does not say, one may be. */
function hasChildren(): boolean {
  try {
    return readFileSync(`/proc/self/task/${String(process.pid)}/children`, 'utf8') !== '';
  } catch {
    return true;
  }
}

function collector(): Writable & { text(): string } {
  const parts: Buffer[] = [];
  const stream = new Writable({
    write: (part: Buffer, _encoding, done) => {
      parts.push(part);
      done();
    },
  });
  return Object.assign(stream, { text: () => Buffer.concat(parts).toString('utf8') });
}
