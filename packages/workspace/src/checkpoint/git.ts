import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { checkNotAborted, toWorkspaceError, WorkspaceError } from '../error.ts';
import { findProgram, safeSearchPath } from '../process/find-program.ts';

/** Runs git for checkpoints: no setting, attribute, hook or variable of the user or the project acts on it. */
export interface Git {
  /** What git wrote, one character for each byte. */
  run(args: readonly string[], options: GitRun): Promise<string>;
  /** Starts a git process that answers requests; its caller ends it. */
  start(args: readonly string[], gitDir: string): ReturnType<typeof spawn>;
}

/** Where git runs, and on what. */
export interface GitRun {
  readonly gitDir: string;
  /** Where it stands; the work tree unless that is named. */
  readonly cwd: string;
  readonly workTree?: string;
  readonly index?: string;
  /** One character for each byte; or what writes it. */
  readonly input?: string | ((stdin: Writable) => Promise<void>);
  readonly signal?: AbortSignal | undefined;
  /** With the user's own settings: only to read what they say. */
  readonly asUser?: boolean;
  /** At the lowest priority. */
  readonly isBackground?: boolean;
  /** Does not fail on these exit statuses. */
  readonly accept?: readonly number[];
}

/** Finds git on the path, never in the workspace. @throws {WorkspaceError} `no-git` */
export async function openGit(workspace: string, home: string): Promise<Git> {
  const searchPath = process.env['PATH'] ?? '';
  const found = await findProgram(process.platform === 'win32' ? 'git.exe' : 'git', {
    cwd: workspace,
    searchPath,
    projects: [workspace],
  });
  if (found === undefined || found.isOfProject) throw noGit();
  await mkdir(home, { recursive: true, mode: 0o700 });
  const variables = { ...cleanVariables(home), PATH: await safeSearchPath(searchPath, [workspace]) };
  const spawnGit = (
    args: readonly string[],
    options: Omit<GitRun, 'input' | 'accept'>,
  ): ReturnType<typeof spawn> =>
    spawn(found.found, args, {
      cwd: options.cwd,
      env:
        options.asUser === true
          ? userVariables()
          : {
              ...variables,
              GIT_DIR: options.gitDir,
              ...(options.workTree !== undefined && { GIT_WORK_TREE: options.workTree }),
              ...(options.index !== undefined && { GIT_INDEX_FILE: options.index }),
            },
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
  const run = async (args: readonly string[], options: GitRun): Promise<string> => {
    checkNotAborted(options.signal, 'run git');
    const child = spawnGit(args, options);
    if (options.isBackground === true && child.pid !== undefined) lowerPriority(child.pid);
    return await finish(child, args, options);
  };
  const text = await run(['version'], { gitDir: home, cwd: home });
  const [major = 0, minor = 0] = (/(\d+)\.(\d+)/u.exec(text) ?? []).slice(1).map(Number);
  if (major < 2 || (major === 2 && minor < 25)) throw tooOld(text.trim());
  return {
    run,
    start: (args, gitDir) => spawnGit(args, { gitDir, cwd: gitDir }),
  };
}

function noGit(cause?: unknown): WorkspaceError {
  const message =
    'Could not find "git" on the path: checkpoints, and with them the list of changes, undo and redo, are off. Install git 2.25 or newer.';
  return new WorkspaceError('no-git', message, { cause });
}

function tooOld(version: string): WorkspaceError {
  const message = `${JSON.stringify(version)} is too old for checkpoints: they, and with them the list of changes, undo and redo, are off. Install git 2.25 or newer.`;
  return new WorkspaceError('no-git', message);
}

function lowerPriority(pid: number): void {
  try {
    os.setPriority(pid, os.constants.priority.PRIORITY_LOW);
  } catch {
    // It ended already, or the system does not allow it.
  }
}

/** What git inherits: nothing that configures it. git 2.25 has no GIT_CONFIG_GLOBAL, so its home is an empty folder of ours. */
function cleanVariables(home: string): NodeJS.ProcessEnv {
  const inherited = ['SystemRoot', 'SYSTEMROOT', 'TEMP', 'TMP', 'TMPDIR', 'LD_LIBRARY_PATH'];
  return {
    ...Object.fromEntries(
      inherited.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
    ),
    HOME: home,
    XDG_CONFIG_HOME: home,
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: process.platform === 'win32' ? path.join(home, 'none') : '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
  };
}

/** The user's variables, less those that lead git to another repository. */
function userVariables(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(GIT_|PARLEY_)/iu.test(name));
  return { ...Object.fromEntries(own), GIT_OPTIONAL_LOCKS: '0' };
}

/** The most that git may write to one request. */
const mostOutputBytes = 400 * 1024 * 1024;

function finish(child: ReturnType<typeof spawn>, args: readonly string[], options: GitRun): Promise<string> {
  const { signal, input, accept = [] } = options;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let complaint = '';
    let fault: WorkspaceError | undefined;
    const stop = (reason: WorkspaceError): void => {
      fault ??= reason;
      child.kill('SIGKILL');
    };
    const abort = (): void =>
      stop(new WorkspaceError('aborted', `run git ${commandOf(args)}: aborted`, { cause: signal?.reason }));
    signal?.addEventListener('abort', abort, { once: true });
    child.stdout?.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > mostOutputBytes) {
        stop(
          new WorkspaceError(
            'too-large',
            `run git ${commandOf(args)}: more than ${String(mostOutputBytes)} bytes of output`,
          ),
        );
      }
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      if (complaint.length < 65_536) complaint += chunk.toString('latin1');
    });
    child.on('error', (error) => {
      fault ??= noGit(error);
      if (child.pid === undefined) settle(null);
    });
    child.on('close', (code) => settle(code));
    // It may end before it has read all.
    child.stdin?.on('error', () => undefined);
    feed();
    if (signal?.aborted === true) abort();

    function feed(): void {
      const { stdin } = child;
      if (typeof input !== 'function') stdin?.end(input ?? '', 'latin1');
      if (typeof input !== 'function' || stdin === null) return;
      input(stdin).then(
        () => stdin.end(),
        (error: unknown) => {
          // It ended early: its own complaint says why.
          if (stdin.destroyed && signal?.aborted !== true) return;
          stop(toWorkspaceError(error, 'write to git', commandOf(args)));
        },
      );
    }

    function settle(code: number | null): void {
      signal?.removeEventListener('abort', abort);
      if (fault !== undefined) reject(fault);
      else if (code === 0 || (code !== null && accept.includes(code))) {
        resolve(Buffer.concat(chunks).toString('latin1'));
      } else reject(gitFailure(args, code, complaint));
    }
  });
}

function gitFailure(args: readonly string[], code: number | null, complaint: string): WorkspaceError {
  const isFull = /no space left on device|disk quota exceeded/iu.test(complaint);
  const said = isFull
    ? 'the disk is full'
    : Buffer.from(complaint, 'latin1').toString('utf8').trim().slice(-500);
  const reason = said === '' ? `exited with status ${String(code)}` : said;
  return new WorkspaceError(
    isFull ? 'no-space' : 'failed',
    `Could not run git ${commandOf(args)} for a checkpoint: ${reason}`,
  );
}

/** The command among git's arguments, behind its own options. */
function commandOf(args: readonly string[]): string {
  return args.find((argument) => /^[a-z][a-z-]*$/u.test(argument)) ?? '';
}
