import { Buffer } from 'node:buffer';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { WorkspaceError, checkNotAborted, systemCode } from '../error.ts';
import { findProgram } from '../process/find-program.ts';
import type { ExitStatus } from '../process/process-group.ts';
import { startProcess } from '../process/start-process.ts';

/** How git is started. */
export interface GitOptions {
  readonly cwd: string;
  /** A folder whose files the project chooses: no program there is taken for git. @default none */
  readonly project?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly input?: Uint8Array;
  readonly signal?: AbortSignal;
}

/** How git ended, and what it wrote. */
export interface GitResult {
  readonly status: ExitStatus;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Runs git to its end; any exit status is a result. */
export async function runGit(args: readonly string[], options: GitOptions): Promise<GitResult> {
  const { cwd, env, input, signal } = options;
  const action = `git ${args[0] ?? ''}`;
  checkNotAborted(signal, action);
  const group = await startProcess({
    command: await findGit(options),
    args,
    cwd,
    ...(env !== undefined && { env }),
    ...(input === undefined && { input: 'ignore' }),
  });
  const abort = (): void => group.kill();
  signal?.addEventListener('abort', abort, { once: true });
  try {
    if (input !== undefined) {
      // git may end before it has read all; its status says why.
      group.stdin.on('error', () => undefined);
      group.stdin.end(input);
    }
    const [stdout, stderr, status] = await Promise.all([
      readBytes(group.stdout),
      text(group.stderr),
      group.closed,
    ]);
    checkNotAborted(signal, action);
    return { status, stdout, stderr };
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

/** Runs git, and returns what it wrote; any exit status but 0 is an error. */
export async function gitOutput(args: readonly string[], options: GitOptions): Promise<Buffer> {
  const result = await runGit(args, options);
  if (result.status.exitCode !== 0) throw gitFailure(args, result);
  return result.stdout;
}

/** The error for a git command that failed, with the last of what it wrote. */
export function gitFailure(args: readonly string[], { status, stderr }: GitResult): WorkspaceError {
  const how =
    status.exitCode === null
      ? `was ended by ${String(status.signal)}`
      : `exited with status ${String(status.exitCode)}`;
  const end = stderr.trim().slice(-messageCharacters);
  return new WorkspaceError('failed', `git ${args[0] ?? ''} ${how}${end === '' ? '' : `: ${end}`}`);
}

/**
 * Variables that let git read no configuration, no attributes and no repository but the one its arguments name: settings of
 * the user or the project do not change what our own commands write.
 */
export function isolatedVariables(): Readonly<Record<string, string | undefined>> {
  const ours = Object.keys(process.env).filter((name) => name.startsWith('GIT_'));
  return {
    ...Object.fromEntries(ours.map((name) => [name, undefined])),
    GIT_CONFIG_COUNT: undefined,
    GIT_CONFIG_NOSYSTEM: '1',
    // git before 2.32 does not know GIT_CONFIG_GLOBAL, and finds its file by the next two.
    GIT_CONFIG_GLOBAL: '/dev/null',
    HOME: '/dev/null',
    XDG_CONFIG_HOME: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
  };
}

/** @throws {WorkspaceError} `no-git` */
async function findGit({ cwd, project }: GitOptions): Promise<string> {
  const found = await findProgram(process.platform === 'win32' ? 'git.exe' : 'git', {
    cwd,
    searchPath: process.env['PATH'] ?? '',
    projects: project === undefined ? [] : [project],
  });
  if (found !== undefined && !found.isOfProject) return found.found;
  throw new WorkspaceError('no-git', 'Could not find "git" on the path. Install git 2.25 or newer.');
}

/** How much of git's own words an error repeats. */
const messageCharacters = 2000;

async function readBytes(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of stream) {
      chunks.push(Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk)));
    }
  } catch (error) {
    // A process that was killed leaves its output unfinished.
    if (systemCode(error) !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
  return Buffer.concat(chunks);
}
