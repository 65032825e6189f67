import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { WorkspaceError, checkNotAborted, systemCode, toWorkspaceError } from '../error.ts';
import { inheritedVariables } from '../process/inherited-variables.ts';

/** How a git command is run. */
export interface GitOptions {
  readonly cwd: string;
  /** Set on top of the environment, from which git's own variables for one repository are removed. */
  readonly env?: Readonly<Record<string, string>>;
  /** Standard input. @default empty */
  readonly input?: string | Uint8Array;
  /** The statuses that are results. @default only 0 */
  readonly statuses?: readonly number[];
  /** Runs the hooks of the repository, in the foreground of the terminal. @default no hook runs */
  readonly runsHooks?: boolean;
  readonly signal?: AbortSignal;
}

/** What a git command did. */
export interface GitResult {
  readonly status: number;
  readonly stdout: Buffer;
}

/** The most that is read of one git command: 256 MiB. */
const maxGitOutputBytes = 256 * 1024 * 1024;

/** How much of what git says about a failure is shown. */
const maxReasonLength = 2000;

/**
 * Runs git to its end. Programs that a repository's own settings start by themselves, its hooks and file system monitor, do
 * not run; filters do, as in git's own commands.
 *
 * @throws {WorkspaceError} `no-git`, or `failed` with what git said.
 */
export async function runGit(
  args: readonly string[],
  { cwd, env = {}, input, statuses = [0], runsHooks = false, signal }: GitOptions,
): Promise<GitResult> {
  checkNotAborted(signal, 'run git');
  const settings = ['-c', 'core.fsmonitor=false', ...(runsHooks ? [] : ['-c', 'core.hooksPath=/dev/null'])];
  const child = spawn('git', [...settings, ...args], {
    cwd,
    env: { ...withoutRepository(inheritedVariables()), GIT_TERMINAL_PROMPT: '0', ...env },
    // Ctrl-C must not stop git between two files; hooks and signing need the terminal.
    detached: !runsHooks && process.platform !== 'win32',
    windowsHide: true,
    signal,
  });
  const stdout: Buffer[] = [];
  let stdoutBytes = 0;
  let reason = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdoutBytes += chunk.length;
    if (stdoutBytes > maxGitOutputBytes) child.kill();
    else stdout.push(chunk);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    reason = (reason + text).slice(-maxReasonLength);
  });
  // git may end before it has read all.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const status = await new Promise<number>((resolve, reject) => {
    child.once('error', (error) => {
      if (signal?.aborted === true) {
        reject(new WorkspaceError('aborted', 'run git: aborted', { cause: signal.reason }));
        return;
      }
      reject(
        // A missing folder is reported like a missing program.
        systemCode(error) === 'ENOENT' && existsSync(cwd)
          ? new WorkspaceError('no-git', 'git was not found on the PATH; install it', { cause: error })
          : toWorkspaceError(error, 'run git in', cwd),
      );
    });
    child.once('close', (code) => {
      resolve(code ?? -1);
    });
  });
  const what = `git ${args.find((arg) => !arg.startsWith('-')) ?? ''}`;
  if (stdoutBytes > maxGitOutputBytes) {
    throw new WorkspaceError('too-large', `${what}: more than ${String(maxGitOutputBytes)} bytes`);
  }
  if (!statuses.includes(status)) {
    throw new WorkspaceError(
      'failed',
      `${what} in ${JSON.stringify(cwd)} failed: ${oneLine(reason, status)}`,
    );
  }
  return { status, stdout: Buffer.concat(stdout) };
}

/** What a git command prints, without the line break at its end. */
export async function gitLine(args: readonly string[], options: GitOptions): Promise<string> {
  return (await runGit(args, options)).stdout.toString('utf8').replace(/\n$/u, '');
}

/** The records of `-z` output. Each character is a byte, as a file name need not be UTF-8. */
export function toRecords(output: Buffer): readonly string[] {
  const text = output.toString('latin1');
  return text === '' ? [] : text.replace(/\0$/u, '').split('\0');
}

/** The bytes of such records, as git reads them with `-z`. */
export function fromRecords(records: readonly string[]): Buffer {
  return Buffer.from(records.map((record) => `${record}\0`).join(''), 'latin1');
}

/** A path of such a record, for a message. */
export function toText(path: string): string {
  return Buffer.from(path, 'latin1').toString('utf8');
}

/** `git rev-parse --local-env-vars`, but for the settings of the command line: in a hook they name another repository. */
const repositoryVariables: ReadonlySet<string> = new Set([
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_OBJECT_DIRECTORY',
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_GRAFT_FILE',
  'GIT_INDEX_FILE',
  'GIT_NO_REPLACE_OBJECTS',
  'GIT_REPLACE_REF_BASE',
  'GIT_PREFIX',
  'GIT_SHALLOW_FILE',
  'GIT_COMMON_DIR',
  'GIT_INTERNAL_SUPER_PREFIX',
  'GIT_NAMESPACE',
]);

/** Lets git read no settings, no attributes and no repository around a folder: for commands on files of our own. */
export function isolatedVariables(folder: string): Readonly<Record<string, string>> {
  return {
    GIT_CEILING_DIRECTORIES: dirname(folder),
    GIT_CONFIG_NOSYSTEM: '1',
    // git before 2.32 does not know GIT_CONFIG_GLOBAL, and finds its file by the next two.
    GIT_CONFIG_GLOBAL: '/dev/null',
    HOME: '/dev/null',
    XDG_CONFIG_HOME: '/dev/null',
    GIT_CONFIG_COUNT: '0',
    GIT_CONFIG_PARAMETERS: '',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_DIFF_OPTS: '',
    LC_ALL: 'C',
  };
}

function withoutRepository(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !repositoryVariables.has(name)));
}

function oneLine(reason: string, status: number): string {
  const text = reason.trim().replaceAll(/\s*\n\s*/gu, '; ');
  return text === '' ? `status ${String(status)}` : text;
}
