import type { ChildProcess } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import { groupGone, hasProcessGroups, signalGroup } from './group-signal.ts';
import { drain } from './stream-drain.ts';
import { processWatchdog } from './watchdog.ts';

/** How a process ended: with a code, or by a signal. */
export interface ExitStatus {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** The delays for ending a process group. */
export interface EndOptions {
  /** From closing its input to TERM. @default 1000 */
  readonly inputMs?: number;
  /** From TERM to KILL. @default 1000 */
  readonly termMs?: number;
}

/**
 * A process and its descendants. When the first process exits, the rest of the group receives TERM, and KILL a second
 * later. A descendant that created its own session (`setsid`) has left the group and cannot be reached. If this
 * process dies without ending the group, its watchdog does, within two seconds.
 */
export interface ProcessGroup extends AsyncDisposable {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Settles when the first process has exited; its group and its output may last slightly longer. */
  readonly exited: Promise<ExitStatus>;
  /**
   * Settles when the group has ended and its output was read, or closed because an unreachable process keeps it open.
   */
  readonly closed: Promise<ExitStatus>;
  /**
   * Closes the input, waits, sends TERM to the group, waits, and sends KILL. Never rejects; further calls return the
   * same promise, with the delays of the first one. Output that is not read within half a second is discarded.
   */
  end(options?: EndOptions): Promise<ExitStatus>;
  /** Sends KILL to the whole group immediately. */
  kill(): void;
}

/** How long a process group has to exit before TERM and KILL. */
const defaultPatienceMs = 1000;
/** Time that the system has to remove killed processes. */
const killMs = 1000;
/** Time that a reader has for the remaining output after `end` was called. */
const lastOutputMs = 500;

/** Makes a group of a child that was just started at the head of one. */
export function adoptChild(child: ChildProcess): ProcessGroup {
  return new StartedGroup(child);
}

class StartedGroup implements ProcessGroup {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly exited: Promise<ExitStatus>;
  readonly closed: Promise<ExitStatus>;
  /** The first process has exited, and no process within reach is left. */
  readonly #ended: Promise<void>;
  #termMs = defaultPatienceMs;
  /** Once the group was seen empty, its id may become another's: no signal is sent to it any more. */
  #isGone = false;
  #end: Promise<ExitStatus> | undefined;

  constructor(child: ChildProcess) {
    if (child.pid === undefined) throw new Error('the child was not started');
    this.pid = child.pid;
    // A stream that the child was not given stands closed.
    this.stdin = child.stdin ?? new Writable().destroy();
    this.stdout = child.stdout ?? new Readable().destroy();
    this.stderr = child.stderr ?? new Readable().destroy();
    for (const stream of [this.stdin, this.stdout, this.stderr]) stream.on('error', ignoreBrokenPipe);
    this.exited = new Promise((resolve) => {
      child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
    });
    this.#ended = this.exited.then(() => this.#endRest());
    this.closed = this.#close();
  }

  end(options: EndOptions = {}): Promise<ExitStatus> {
    this.#end ??= this.#endInSteps(options);
    return this.#end;
  }

  kill(): void {
    this.#signal('SIGKILL');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }

  async #endInSteps(options: EndOptions): Promise<ExitStatus> {
    const { inputMs = defaultPatienceMs, termMs = defaultPatienceMs } = options;
    this.#termMs = termMs;
    this.stdin.end();
    if (!(await settlesWithin(this.exited, inputMs))) {
      this.#signal('SIGTERM');
      if (!(await settlesWithin(this.exited, termMs))) this.kill();
    }
    // Not even KILL ends a process that hangs in the system itself, on a dead network disk for example.
    if (!(await settlesWithin(this.exited, killMs))) return { exitCode: null, signal: 'SIGKILL' };
    await this.#ended;
    await settlesWithin(this.closed, lastOutputMs);
    this.stdout.destroy();
    this.stderr.destroy();
    return this.closed;
  }

  async #close(): Promise<ExitStatus> {
    const status = await this.exited;
    await this.#ended;
    await Promise.all([drain(this.stdout), drain(this.stderr)]);
    return status;
  }

  /** Ends what is left of the group after its first process. */
  async #endRest(): Promise<void> {
    // Without groups the rest can no longer be found: its tree depended on the process that has ended.
    if (hasProcessGroups && signalGroup(this.pid, 'SIGTERM') && !(await groupGone(this.pid, this.#termMs))) {
      this.kill();
      await groupGone(this.pid, killMs);
    }
    this.#isGone = true;
    processWatchdog.remove(this.pid);
  }

  #signal(signal: 'SIGTERM' | 'SIGKILL'): void {
    if (!this.#isGone) signalGroup(this.pid, signal);
  }
}

function ignoreBrokenPipe(): void {
  // The other end died: `exited` resolves, and a writer is notified through its own callback.
}

async function settlesWithin(promise: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, false);
  });
  try {
    return await Promise.race([promise.then(() => true), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
