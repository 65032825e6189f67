import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { hasProcessGroups } from './group-signal.ts';
import { watchdogScript } from './watchdog-script.ts';

/**
 * Ends what this process started when this process is gone without having done so, by KILL for example: a shell that
 * does nothing but wait for the end of the pipe from here, and then signals the groups that are left: TERM, and KILL
 * within a second. See docs/decisions/0011-the-watchdog.md.
 */
class ProcessWatchdog {
  readonly #groups = new Set<number>();
  #record: string | undefined;
  #shell: ChildProcess | undefined;
  /** Windows ends the children of a process with it by itself; and a system may be without a shell. */
  #isMissing = !hasProcessGroups;
  #replacements = 0;

  /** Is there from now on. Called before a process is started, so that none is without it for long. */
  begin(): void {
    if (this.#isMissing || this.#shell !== undefined) return;
    const shell = spawn('/bin/sh', ['-c', watchdogScript, 'parley-watchdog'], {
      // A group of its own: what is sent to ours, Ctrl-C or KILL, is not for it.
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
    });
    this.#shell = shell;
    shell.once('error', () => {
      this.#isMissing = true;
    });
    shell.once('exit', () => {
      this.#shell = undefined;
      this.#replace();
    });
    shell.stdin.on('error', () => {
      // It was ended and is replaced.
    });
    shell.unref();
    if (shell.stdin instanceof Socket) shell.stdin.unref();
    if (this.#record !== undefined) this.#send(`record ${this.#record}`);
    for (const groupId of this.#groups) this.#send(`add ${groupId}`);
  }

  /** The watchdog was ended: the last lines sent to it may be lost. Where none can live, it is not retried for ever. */
  #replace(): void {
    if (this.#groups.size === 0 || this.#replacements === mostReplacements) return;
    this.#replacements += 1;
    this.begin();
  }

  /** A group was started. */
  add(groupId: number): void {
    this.#groups.add(groupId);
    this.#send(`add ${groupId}`);
  }

  /** A group is gone, and its id may become another's. */
  remove(groupId: number): void {
    if (this.#groups.delete(groupId)) this.#send(`remove ${groupId}`);
  }

  /** Keeps what there is in a file as well, for the case that the watchdog is ended too. */
  keepRecord(file: string): void {
    this.#record = file;
    this.#send(`record ${file}`);
  }

  #send(line: string): void {
    this.#shell?.stdin?.write(`${line}\n`);
  }
}

/** How often a watchdog is replaced at once; after that with the next process that is started. */
const mostReplacements = 10;

/** The watchdog of this process. There is one for all that it starts, as there is one process that can be killed. */
export const processWatchdog: ProcessWatchdog = new ProcessWatchdog();
