import { findProgram } from '../process/find-program.ts';
import { inheritedVariables } from '../process/inherited-variables.ts';
import { noGit, runGitProcess, type GitResult } from './git-process.ts';
import { isolatedVariables } from './isolated-variables.ts';

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
  /** The folder has files of ours: no settings, attributes or repository around it act on git. @default the user's do */
  readonly isIsolated?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Runs git with the user's settings until it exits. Hooks and the file system monitor of the repository do not run;
 * filters do, as in git's own commands. git is never taken from the folder in which it runs.
 *
 * @throws {WorkspaceError} `no-git`, or `failed` with git's message.
 */
export async function runGit(args: readonly string[], options: GitOptions): Promise<GitResult> {
  const { cwd, env = {}, runsHooks = false, isIsolated = false } = options;
  // Before git 2.36 it is the name of a program: "false" would be one.
  const settings = ['-c', 'core.fsmonitor=', ...(runsHooks ? [] : ['-c', 'core.hooksPath=/dev/null'])];
  const variables = isIsolated ? isolatedVariables(cwd) : withoutRepository(inheritedVariables());
  return await runGitProcess({
    ...options,
    program: await findGit(cwd),
    args: [...settings, ...args],
    env: { ...variables, GIT_TERMINAL_PROMPT: '0', ...env },
    isInForeground: runsHooks,
  });
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

/** Formats a path for a message. */
export function toText(path: string): string {
  return Buffer.from(path, 'latin1').toString('utf8');
}

async function findGit(cwd: string): Promise<string> {
  const searchPath = process.env['PATH'] ?? '';
  const name = process.platform === 'win32' ? 'git.exe' : 'git';
  const found = await findProgram(name, { cwd, searchPath, projects: [cwd] });
  if (found === undefined || found.isOfProject) throw noGit();
  return found.found;
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

function withoutRepository(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !repositoryVariables.has(name)));
}
