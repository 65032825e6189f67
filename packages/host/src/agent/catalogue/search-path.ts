import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { findExecutable } from '@parley/workspace';
import { projectRoot } from '../../permission/remembered/project-root.ts';

/** The variables that contain `PATH`. */
export type SearchVariables = Readonly<Record<string, string | undefined>>;

/** Where agents and their programs are searched. */
export interface SearchPath {
  /** The variables, with a `PATH` without folders of projects. */
  readonly env: SearchVariables;
  /** The omitted folders of `PATH`, which a project could have filled. */
  readonly leftOut: readonly string[];
}

/**
 * Removes folders of projects from `PATH`, so that an untrusted repository cannot choose a program: relative folders,
 * those inside the projects of `folders`, and `node_modules/.bin` of their parent folders, which npm and npx add. A
 * home folder is not a project.
 *
 * @param folders The folders of sessions, and the current folder.
 */
export async function searchPath(env: SearchVariables, folders: readonly string[]): Promise<SearchPath> {
  const projects = await Promise.all([...new Set(folders)].map(toProject));
  const leftOut: string[] = [];
  const kept: string[] = [];
  for (const folder of (env['PATH'] ?? '').split(path.delimiter)) {
    // POSIX: an empty entry is the working folder.
    const isProjects =
      !path.isAbsolute(folder) ||
      projects.some(({ holds }) => holds(folder)) ||
      (await leadsInto(folder, projects));
    (isProjects ? leftOut : kept).push(folder);
  }
  if (leftOut.length === 0) return { env, leftOut };
  return {
    env: { ...env, PATH: kept.join(path.delimiter) },
    leftOut: leftOut.filter((folder) => folder !== ''),
  };
}

/** Returns the path of a program on `PATH`. */
export function findOnPath(command: string, env: SearchVariables): Promise<string | undefined> {
  const folders = (env['PATH'] ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return findExecutable(command, { cwd: homedir(), env: { ...env, PATH: folders.join(path.delimiter) } });
}

interface Project {
  holds(folder: string): boolean;
}

async function toProject(folder: string): Promise<Project> {
  const named = path.resolve(folder);
  const real = await realpath(named).catch(() => named);
  const root = await projectRoot(real);
  const home = await realpath(homedir()).catch(() => homedir());
  const insides = [root, named, real].filter((each) => !isInside(home, each));
  const binaries = new Set(
    [...above(named), ...above(real)].map((each) => path.join(each, 'node_modules', '.bin')),
  );
  return {
    holds: (entry) => {
      const clean = path.resolve(entry);
      return binaries.has(clean) || insides.some((inside) => isInside(clean, inside));
    },
  };
}

/** Whether a folder of `PATH` is a link into a project. */
async function leadsInto(folder: string, projects: readonly Project[]): Promise<boolean> {
  const real = await realpath(folder).catch(() => folder);
  return real !== folder && projects.some(({ holds }) => holds(real));
}

function above(folder: string): string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [folder, ...above(parent)];
}

function isInside(file: string, folder: string): boolean {
  const relative = path.relative(folder, file);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}
