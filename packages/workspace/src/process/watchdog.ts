import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { hasProcessGroups } from './group-signal.ts';
import { watchdogScript } from './watchdog-script.ts';

/**
 * Ends the processes that this process started if it is killed: a shell that waits for the end of its input, and then
 * sends TERM to the remaining groups, and KILL within a second. See docs/decisions/0011-the-watchdog.md.
 */
class ProcessWatchdog {
  readonly #groups = new Set<number>();
  readonly #folders = new Set<string>();
  #record: string | undefined;
  #shell: ChildProcess | undefined;
  /** Windows ends the children of a process with it by itself; and a system may be without a shell. */
  #isMissing = !hasProcessGroups;
  #replacements = 0;

  /** Starts the watchdog. Called before a process is started, so that each one is covered. */
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
    for (const folder of this.#folders) this.#send(`folder ${folder}`);
  }

  /** Replaces a watchdog that was ended: the last lines sent to it may be lost. Does not retry forever. */
  #replace(): void {
    if (this.#groups.size + this.#folders.size === 0 || this.#replacements === mostReplacements) return;
    this.#replacements += 1;
    this.begin();
  }

  /** A group was started. */
  add(groupId: number): void {
    this.#groups.add(groupId);
    this.#send(`add ${groupId}`);
  }

  /** A group has ended, and its id may be reused. */
  remove(groupId: number): void {
    if (this.#groups.delete(groupId)) this.#send(`remove ${groupId}`);
  }

  /** A temporary folder was created. That of a sandbox has the lists of what it creates in a workspace, which is removed too. */
  addFolder(folder: string): void {
    // The watchdog reads lines.
    if (folder.includes('\n')) return;
    this.#folders.add(folder);
    this.begin();
    this.#send(`folder ${folder}`);
  }

  /** A temporary folder was removed. */
  removeFolder(folder: string): void {
    if (this.#folders.delete(folder)) this.#send(`unfolder ${folder}`);
  }

  /** Also stores the process groups in a file, in case the watchdog is ended too. */
  keepRecord(file: string): void {
    this.#record = file;
    this.#send(`record ${file}`);
  }

  /** Ends the watchdog and what is left of its groups, as the end of this process would. The next process gets a new one. */
  async end(): Promise<void> {
    const shell = this.#shell;
    if (shell === undefined) return;
    this.#groups.clear();
    this.#folders.clear();
    this.#record = undefined;
    const exited = once(shell, 'exit');
    shell.ref();
    shell.stdin?.end();
    await exited;
  }

  #send(line: string): void {
    this.#shell?.stdin?.write(`${line}\n`);
  }
}

/** How often a watchdog is replaced immediately; after that, it is replaced when the next process starts. */
const mostReplacements = 10;

/** The watchdog of this process, for all processes that it starts. */
export const processWatchdog: ProcessWatchdog = new ProcessWatchdog();

/** Ends the watchdog of this process and what is left of its groups, as the end of this process would. */
export function endWatchdog(): Promise<void> {
  return processWatchdog.end();
}
