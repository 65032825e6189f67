import type { ChildProcess } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { WorkspaceError } from '../error.ts';
import { replaceFile } from '../files/replace-file.ts';
import { runGitProcess, startGit } from '../git/git-process.ts';
import { isolatedVariables } from '../git/isolated-variables.ts';
import { findProgram, safeSearchPath } from '../process/find-program.ts';

/** Runs git for checkpoints: no setting, attribute, hook or variable of the user or the project acts on it. */
export interface Git {
  /** Where git was found. */
  readonly program: string;
  /** What git wrote, one character for each byte. */
  run(args: readonly string[], options: GitRun): Promise<string>;
  /** Starts a git process that answers requests; its caller ends it. */
  start(args: readonly string[], gitDir: string): ChildProcess;
}

/** Options of a run of git. */
export interface GitRun {
  readonly gitDir: string;
  /** The working directory. @default the work tree */
  readonly cwd: string;
  readonly workTree?: string;
  readonly index?: string;
  /** The object folder of another repository, which is read as well. */
  readonly alternate?: string | undefined;
  /** The input, one character per byte; or a function that writes it. */
  readonly input?: string | ((stdin: Writable) => Promise<void>);
  readonly signal?: AbortSignal | undefined;
  /** Whether to use the user's own settings; only for reading them. */
  readonly asUser?: boolean;
  /** At the lowest priority. */
  readonly isBackground?: boolean;
  /** Does not fail on these exit statuses. */
  readonly accept?: readonly number[];
}

/** Options for reading the user's repository: none of its settings starts a program. */
export const startsNothing = [
  '-c',
  'core.fsmonitor=',
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'protocol.allow=never',
] as const;

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
  const { found: program } = found;
  const safePath = await safeSearchPath(searchPath, [workspace]);
  const variables = { ...isolatedVariables(home), PATH: safePath };
  const run = async (args: readonly string[], options: GitRun): Promise<string> => {
    const {
      gitDir,
      cwd,
      workTree,
      index,
      alternate,
      input,
      signal,
      asUser = false,
      isBackground,
      accept = [],
    } = options;
    const own = {
      ...variables,
      GIT_DIR: gitDir,
      ...(workTree !== undefined && { GIT_WORK_TREE: workTree }),
      ...(index !== undefined && { GIT_INDEX_FILE: index }),
      ...(alternate !== undefined && { GIT_ALTERNATE_OBJECT_DIRECTORIES: alternate }),
    };
    const { stdout } = await runGitProcess({
      program,
      args,
      cwd,
      env: asUser ? userVariables() : own,
      input: typeof input === 'string' ? Buffer.from(input, 'latin1') : input,
      statuses: [0, ...accept],
      isBackground,
      signal,
    });
    return stdout.toString('latin1');
  };
  const [checkedGit, checked] = [`${found.realPath} ${found.mark}`, path.join(home, 'checked')];
  if ((await readFile(checked, 'utf8').catch(() => undefined)) !== checkedGit) {
    const text = await run(['version'], { gitDir: home, cwd: home });
    const [major = 0, minor = 0] = (/(\d+)\.(\d+)/u.exec(text) ?? []).slice(1).map(Number);
    if (major < 2 || (major === 2 && minor < 25)) throw tooOld(text.trim());
    // Asked once for each git.
    await replaceFile(checked, checkedGit).catch(() => undefined);
  }
  return {
    program,
    run,
    start: (args, gitDir) => startGit({ program, args, cwd: gitDir, env: { ...variables, GIT_DIR: gitDir } }),
  };
}

function noGit(): WorkspaceError {
  const message =
    'Could not find "git" on the path: checkpoints, and with them the list of changes, undo and redo, are off. Install git 2.25 or newer.';
  return new WorkspaceError('no-git', message);
}

function tooOld(version: string): WorkspaceError {
  const message = `${JSON.stringify(version)} is too old for checkpoints: they, and with them the list of changes, undo and redo, are off. Install git 2.25 or newer.`;
  return new WorkspaceError('no-git', message);
}

/** The user's variables without those that point git to another repository. */
function userVariables(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(GIT_|PARLEY_)/iu.test(name));
  return { ...Object.fromEntries(own), GIT_OPTIONAL_LOCKS: '0' };
}
