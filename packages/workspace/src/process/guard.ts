import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { hasProcessGroups } from './group-signal.ts';
import { guardScript } from './guard-script.ts';

/**
 * Ends what this process started when this process is gone without having done so, by KILL for example: a shell that
 * does nothing but wait for the end of the pipe from here, and then signals the groups that are left: TERM, and KILL
 * within a second. See docs/decisions/0011-the-guard.md.
 */
class ProcessGuard {
  readonly #groups = new Set<number>();
  #record: string | undefined;
  #shell: ChildProcess | undefined;
  /** Windows ends the children of a process with it by itself; and a system may be without a shell. */
  #isMissing = !hasProcessGroups;
  #replacements = 0;

  /** Is there from now on. Called before a process is started, so that none is without it for long. */
  begin(): void {
    if (this.#isMissing || this.#shell !== undefined) return;
    const shell = spawn('/bin/sh', ['-c', guardScript, 'parley-guard'], {
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
      // It was ended; another one takes its place.
    });
    shell.unref();
    if (shell.stdin instanceof Socket) shell.stdin.unref();
    if (this.#record !== undefined) this.#tell(`record ${this.#record}`);
    for (const groupId of this.#groups) this.#tell(`add ${groupId}`);
  }

  /** Somebody ended the guard: what it was told last may be lost. Where none can live, it is not tried for ever. */
  #replace(): void {
    if (this.#groups.size === 0 || this.#replacements === mostReplacements) return;
    this.#replacements += 1;
    this.begin();
  }

  /** A group was started. */
  add(groupId: number): void {
    this.#groups.add(groupId);
    this.#tell(`add ${groupId}`);
  }

  /** A group is gone, and its id may become another's. */
  remove(groupId: number): void {
    if (this.#groups.delete(groupId)) this.#tell(`remove ${groupId}`);
  }

  /** Keeps what there is in a file as well, for the case that the guard is ended too. */
  keepRecord(file: string): void {
    this.#record = file;
    this.#tell(`record ${file}`);
  }

  #tell(line: string): void {
    this.#shell?.stdin?.write(`${line}\n`);
  }
}

/** How often a guard is replaced at once; after that with the next process that is started. */
const mostReplacements = 10;

/** The guard of this process. There is one whoever starts something, as there is one process that can be killed. */
export const processGuard: ProcessGuard = new ProcessGuard();
