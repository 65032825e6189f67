import { constants, type BigIntStats } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { WorkspaceError } from '../error.ts';
import { isBelow } from '../files/confinement/roots.ts';

/** A located program, so that exactly the same one can be started later. */
export interface FoundProgram {
  /** The absolute path where it was found. */
  readonly found: string;
  /** The path after links are resolved, which is started. */
  readonly realPath: string;
  /** Whether a bare name was found in a folder of the project. */
  readonly isOfProject: boolean;
  /** Changes when the file is replaced or written to. */
  readonly mark: string;
}

/** Where to search for a program. */
export interface FindProgramOptions {
  /** The folder that paths are relative to. */
  readonly cwd: string;
  /** The folders to search, in the format of `PATH`. */
  readonly searchPath: string;
  /** Folders whose files the project controls: they are searched last, regardless of `PATH`. */
  readonly projects: readonly string[];
}

/**
 * Finds the program that a command's first word starts. Relative folders of `PATH` are ignored, because they depend
 * on the current folder.
 */
export async function findProgram(
  command: string,
  { cwd, searchPath, projects }: FindProgramOptions,
): Promise<FoundProgram | undefined> {
  if (command === '') return undefined;
  if (/[\\/]/u.test(command)) return look(path.resolve(cwd, command), false);
  const { ours, ofProject } = await sortFolders(searchPath, projects);
  for (const [folders, isOfProject] of [
    [ours, false],
    [ofProject, true],
  ] as const) {
    for (const folder of folders) {
      const program = await look(path.join(folder, command), isOfProject);
      if (program !== undefined) return program;
    }
  }
  return undefined;
}

/** Returns a `PATH` for a shell: without relative folders, and with those of the project at the end. */
export async function safeSearchPath(searchPath: string, projects: readonly string[]): Promise<string> {
  const { ours, ofProject } = await sortFolders(searchPath, projects);
  return [...ours, ...ofProject].join(path.delimiter);
}

/** @throws {WorkspaceError} `changed`: the file was replaced or written to. */
export async function checkProgram({ realPath, found, mark }: FoundProgram): Promise<void> {
  const now = await statIfThere(realPath);
  if (now !== undefined && markOf(now) === mark) return;
  const message = `start ${JSON.stringify(found)}: the program was replaced after it was shown; ask for it again`;
  throw new WorkspaceError('changed', message, { path: found });
}

interface SortedFolders {
  readonly ours: readonly string[];
  readonly ofProject: readonly string[];
}

async function sortFolders(searchPath: string, projects: readonly string[]): Promise<SortedFolders> {
  const ours: string[] = [];
  const ofProject: string[] = [];
  const folders = searchPath.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const realPaths = await Promise.all(folders.map((folder) => realpath(folder).catch(() => folder)));
  for (const [index, folder] of folders.entries()) {
    const real = realPaths[index] ?? folder;
    const isInProject = projects.some((project) => isBelow(project, folder) || isBelow(project, real));
    (isInProject && !systemFolders.has(real) ? ofProject : ours).push(folder);
  }
  return { ours, ofProject };
}

/** These are no project's, also where a session is in `/`. */
const systemFolders: ReadonlySet<string> = new Set(
  '/bin /sbin /usr/bin /usr/sbin /usr/local/bin /usr/local/sbin'.split(' '),
);

async function look(found: string, isOfProject: boolean): Promise<FoundProgram | undefined> {
  try {
    await access(found, constants.X_OK);
    const realPath = await realpath(found);
    const stats = await stat(realPath, { bigint: true });
    return stats.isFile() ? { found, realPath, isOfProject, mark: markOf(stats) } : undefined;
  } catch {
    // Missing, or not executable: no program.
    return undefined;
  }
}

async function statIfThere(file: string): Promise<BigIntStats | undefined> {
  try {
    return await stat(file, { bigint: true });
  } catch {
    return undefined;
  }
}

function markOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(':');
}
