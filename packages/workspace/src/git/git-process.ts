import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import os from 'node:os';
import type { Writable } from 'node:stream';
import { checkNotAborted, systemCode, toWorkspaceError, WorkspaceError } from '../error.ts';

/** One process of git. */
export interface GitProcess {
  /** Where git was found. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Its complete environment. */
  readonly env: NodeJS.ProcessEnv;
  /** In the foreground of the terminal: hooks and signing need it. @default Ctrl-C does not stop it between two files */
  readonly isInForeground?: boolean;
}

/** How a process of git runs to its end. */
export interface GitRunOptions extends GitProcess {
  /** Standard input, or what writes it. @default empty */
  readonly input?: string | Uint8Array | ((stdin: Writable) => Promise<void>) | undefined;
  /** The exit statuses that are results. @default only 0 */
  readonly statuses?: readonly number[] | undefined;
  /** At the lowest priority. @default false */
  readonly isBackground?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What a git command did. */
export interface GitResult {
  readonly status: number;
  readonly stdout: Buffer;
}

/** Output of one git command: 400 MiB. */
const maxGitOutputBytes = 400 * 1024 * 1024;

/** Displayed characters of git's error message. */
const maxReasonLength = 2000;

/** Starts git; its caller ends it. */
export function startGit({ program, args, cwd, env, isInForeground = false }: GitProcess): ChildProcess {
  return spawn(program, args, {
    cwd,
    env,
    detached: !isInForeground && process.platform !== 'win32',
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
}

/**
 * Runs git until it exits.
 *
 * @throws {WorkspaceError} `no-git`, `aborted`, `too-large`, `no-space`, or `failed` with git's message.
 */
export async function runGitProcess(options: GitRunOptions): Promise<GitResult> {
  const { args, cwd, statuses = [0], isBackground = false, signal } = options;
  checkNotAborted(signal, 'run git');
  const child = startGit(options);
  if (isBackground && child.pid !== undefined) lowerPriority(child.pid);
  const what = `git ${commandOf(args)}`;
  const stdout: Buffer[] = [];
  let stdoutBytes = 0;
  let reason = '';
  let fault: WorkspaceError | undefined;
  const stop = (error: WorkspaceError): void => {
    fault ??= error;
    child.kill('SIGKILL');
  };
  const abort = (): void =>
    stop(new WorkspaceError('aborted', `run ${what}: aborted`, { cause: signal?.reason }));
  signal?.addEventListener('abort', abort, { once: true });
  child.stdout?.on('data', (chunk: Buffer) => {
    stdoutBytes += chunk.length;
    if (stdoutBytes <= maxGitOutputBytes) stdout.push(chunk);
    else stop(new WorkspaceError('too-large', `${what}: more than ${String(maxGitOutputBytes)} bytes`));
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    reason = (reason + text).slice(-maxReasonLength);
  });
  try {
    const status = await new Promise<number>((resolve) => {
      child.once('error', (error) => {
        // A missing folder is reported like a missing program.
        const isMissing = systemCode(error) === 'ENOENT' && existsSync(cwd);
        fault ??= isMissing ? noGit(error) : toWorkspaceError(error, 'run git in', cwd);
        if (child.pid === undefined) resolve(-1);
      });
      child.once('close', (code) => resolve(code ?? -1));
      feed(child, options, stop);
      if (signal?.aborted === true) abort();
    });
    if (fault !== undefined) throw fault;
    if (!statuses.includes(status)) throw gitFailure(what, cwd, oneLine(reason, status));
    return { status, stdout: Buffer.concat(stdout) };
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

/** git is missing. */
export function noGit(cause?: unknown): WorkspaceError {
  return new WorkspaceError('no-git', 'git was not found on the PATH; install git 2.25 or newer', { cause });
}

/** git may end before it has read all: its own complaint says why. */
function feed(
  { stdin }: ChildProcess,
  { args, input, signal }: GitRunOptions,
  stop: (error: WorkspaceError) => void,
): void {
  stdin?.on('error', () => undefined);
  if (typeof input !== 'function' || stdin === null) {
    stdin?.end(typeof input === 'function' ? undefined : input);
    return;
  }
  input(stdin).then(
    () => stdin.end(),
    (error: unknown) => {
      if (stdin.destroyed && signal?.aborted !== true) return;
      stop(toWorkspaceError(error, 'write to git', commandOf(args)));
    },
  );
}

function gitFailure(what: string, cwd: string, reason: string): WorkspaceError {
  const isFull = /no space left on device|disk quota exceeded/iu.test(reason);
  return new WorkspaceError(
    isFull ? 'no-space' : 'failed',
    `${what} in ${JSON.stringify(cwd)} failed: ${isFull ? 'the disk is full' : reason}`,
  );
}

function lowerPriority(pid: number): void {
  try {
    os.setPriority(pid, os.constants.priority.PRIORITY_LOW);
  } catch {
    // It ended already, or the system does not allow it.
  }
}

/** The command among git's arguments, behind its own options. */
function commandOf(args: readonly string[]): string {
  return args.find((argument) => /^[a-z][a-z-]*$/u.test(argument)) ?? '';
}

function oneLine(reason: string, status: number): string {
  const text = reason.trim().replaceAll(/\s*\n\s*/gu, '; ');
  return text === '' ? `status ${String(status)}` : text;
}
