import { access, realpath, stat } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { findExecutable } from '@parley/workspace';

/** The command line of an agent, and where it starts. */
export interface AgentCommandLine {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * The files and folders of an agent's program that a sandbox must leave readable: the program, its script with its
 * package and the packages that Node.js finds from there, and files named on its command line.
 */
export async function programPaths({
  command,
  args,
  cwd,
  env,
}: AgentCommandLine): Promise<readonly string[]> {
  const variables = { ...process.env, ...env };
  const program = await findExecutable(command, { cwd, env: variables });
  const found = new Set<string>();
  const add = async (file: string, isProgram: boolean): Promise<void> => {
    for (const name of [file, await realOf(file)]) {
      found.add(name);
      const folder = isProgram ? await packageOf(name) : undefined;
      if (folder === undefined) continue;
      found.add(folder);
      for (const modules of await modulesAbove(folder)) found.add(modules);
    }
  };
  if (program !== undefined) await add(program, true);
  let hasScript = false;
  for (const word of args) {
    const file = path.resolve(cwd, word);
    if (word.startsWith('-') || !(await isFile(file))) continue;
    await add(file, !hasScript);
    hasScript = true;
  }
  return [...found];
}

/** The folder that a program needs: its `node_modules`, else its own package, else the folder that contains it. */
async function packageOf(file: string): Promise<string | undefined> {
  const parts = file.split(path.sep);
  const modules = parts.indexOf('node_modules');
  if (modules > 0) return outOfReach(parts.slice(0, modules + 1).join(path.sep));
  for (let folder = path.dirname(file); !isWide(folder); folder = path.dirname(folder)) {
    if (await exists(path.join(folder, 'package.json'))) return folder;
  }
  return outOfReach(path.dirname(file));
}

/** The folders above a package in which Node looks for its dependencies, such as that of a workspace. */
async function modulesAbove(folder: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (let above = path.dirname(folder); !isWide(above); above = path.dirname(above)) {
    const modules = path.join(above, 'node_modules');
    if (await exists(modules)) found.push(modules);
  }
  return found;
}

function outOfReach(folder: string): string | undefined {
  return isWide(folder) ? undefined : folder;
}

/** Whether a folder contains all files of a user or of the machine. */
function isWide(folder: string): boolean {
  return [homedir(), tmpdir(), '/tmp', path.parse(folder).root].some((wide) => isWithin(wide, folder));
}

function isWithin(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(outer.endsWith(path.sep) ? outer : `${outer}${path.sep}`);
}

async function isFile(file: string): Promise<boolean> {
  return stat(file).then(
    (stats) => stats.isFile(),
    () => false,
  );
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

async function realOf(file: string): Promise<string> {
  return realpath(file).catch(() => file);
}
