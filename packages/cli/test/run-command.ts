import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** A command, for the process that runs it. */
export interface CommandToRun {
  /** The program that it starts again for our own agent. */
  readonly file: string;
  readonly words: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly input: string;
}

/** How it ended, and whether its process is as it was before. */
export interface EndedCommand {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly isReusable: boolean;
}

/** A process that runs one command after the other. */
interface Runner {
  readonly child: ChildProcess;
  readonly closed: Promise<unknown>;
}

/** Those that wait for a command. */
const idle: Runner[] = [];

/** Runs a command in a process that waits for one, or in a new one. */
export async function runCommand(command: CommandToRun): Promise<Omit<EndedCommand, 'isReusable'>> {
  const runner = idle.pop() ?? startRunner(command.file);
  const { child, closed } = runner;
  child.ref();
  child.channel?.ref();
  const message = once(child, 'message') as Promise<[EndedCommand]>;
  child.send(command);
  const answer = await Promise.race([message, closed.then(() => undefined)]);
  if (answer === undefined) throw new Error(`parley ${command.words.join(' ')} ended without a status`);
  const [{ isReusable, ...finished }] = answer;
  if (isReusable) {
    child.unref();
    child.channel?.unref();
    idle.push(runner);
  } else {
    await closed;
  }
  return finished;
}

function startRunner(file: string): Runner {
  const runner = path.join(path.dirname(file), 'command-runner.js');
  const child = fork(runner, { cwd: '/', stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  return { child, closed: once(child, 'close') };
}
