import { type ChildProcess, spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { WorkspaceError, systemCode } from '../error.ts';
import { isBatchFile, toBatchLaunch, type Launch } from './batch-launch.ts';
import { findExecutable } from './find-executable.ts';
import { hasProcessGroups } from './group-signal.ts';
import { inheritedVariables } from './inherited-variables.ts';
import { type ProcessGroup, adoptChild } from './process-group.ts';
import { processWatchdog } from './watchdog.ts';

/** The process to start. */
export interface ProcessOptions {
  /** A program, or with `shell` a whole line for `sh -c` (Windows: `cmd /d /s /c`). */
  readonly command: string;
  /** The program's arguments, passed unchanged; not for a shell line. */
  readonly args?: readonly string[];
  /** @default false */
  readonly shell?: boolean;
  readonly cwd: string;
  /** The path by which the system reaches an open `cwd`. @default `cwd` */
  readonly reach?: string;
  /** The `argv[0]` of the program. @default `command` */
  readonly argv0?: string;
  /** Set in addition to `inheritedVariables`; `undefined` removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Whether `stdin` can be written to, is empty, or is an open file. @default 'pipe' */
  readonly input?: 'pipe' | 'ignore' | { readonly fd: number };
}

/**
 * Starts a process as the leader of a new process group; rejects with `not-started`, naming command and directory.
 * Attach readers to its streams immediately: output without a listener is lost when the process exits.
 */
export async function startProcess(options: ProcessOptions): Promise<ProcessGroup> {
  if (options.shell === true && options.args !== undefined && options.args.length > 0) {
    throw notStarted('a shell line cannot have arguments', options);
  }
  try {
    const child = spawnChild(options, await toLaunch(options));
    await new Promise((resolve, reject) => {
      child.once('spawn', resolve);
      child.on('error', reject);
    });
    return adoptChild(child);
  } catch (error) {
    if (error instanceof WorkspaceError) throw error;
    const reason = (await directoryTrouble(options.cwd)) ?? commandTrouble(error);
    throw notStarted(reason, options, error);
  }
}

/** Converts a command for Windows, where the system cannot start batch files, as which npm installs most commands. */
export async function toLaunch({
  command,
  args = [],
  shell = false,
  cwd,
  env,
}: Pick<ProcessOptions, 'command' | 'args' | 'shell' | 'cwd' | 'env'>): Promise<Launch> {
  const plain = { command, args, isVerbatim: false };
  if (process.platform !== 'win32' || shell) return plain;
  const variables = { ...inheritedVariables(), ...env };
  const file = await findExecutable(command, { cwd, env: variables });
  return file !== undefined && isBatchFile(file) ? toBatchLaunch(file, args, variables) : plain;
}

function spawnChild(options: ProcessOptions, { command, args, isVerbatim }: Launch): ChildProcess {
  const { input = 'pipe' } = options;
  processWatchdog.begin();
  const child = spawn(command, args, {
    cwd: options.reach ?? options.cwd,
    ...(options.argv0 !== undefined && { argv0: options.argv0 }),
    env: { ...inheritedVariables(), ...options.env },
    shell: options.shell ?? false,
    stdio: [typeof input === 'string' ? input : input.fd, 'pipe', 'pipe'],
    detached: hasProcessGroups,
    windowsHide: true,
    windowsVerbatimArguments: isVerbatim,
  });
  if (child.pid !== undefined) processWatchdog.add(child.pid);
  return child;
}

function notStarted(reason: string, { command, cwd }: ProcessOptions, cause?: unknown): WorkspaceError {
  const message = `start ${JSON.stringify(command)} in ${JSON.stringify(cwd)}: ${reason}`;
  return new WorkspaceError('not-started', message, { cause });
}

/**
 * The reason of a failed start that is due to the working directory: the system reports ENOENT for a missing
 * directory and for a missing program.
 */
async function directoryTrouble(cwd: string): Promise<string | undefined> {
  try {
    return (await stat(cwd)).isDirectory() ? undefined : 'the working directory is not a directory';
  } catch (error) {
    return `the working directory cannot be entered (${systemCode(error) ?? 'failed'})`;
  }
}

function commandTrouble(error: unknown): string {
  const code = systemCode(error);
  switch (code) {
    case 'ENOENT':
      return 'command not found';
    case 'EACCES':
      return 'not executable, or not allowed';
    case 'E2BIG':
      return 'the arguments and the environment are too large';
    case 'ERR_INVALID_ARG_VALUE':
      return 'a value contains a NUL byte or is empty';
    default:
      return code ?? 'failed';
  }
}
