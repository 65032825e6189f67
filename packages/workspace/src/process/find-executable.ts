import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path from 'node:path';

/** Options of a search for a command. */
export interface FindExecutableOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The platform whose naming of commands applies. @default the system's */
  readonly platform?: NodeJS.Platform;
}

/** Returns the absolute path of a command: resolved against `cwd`, or, for a bare name, from `PATH`. */
export async function findExecutable(
  command: string,
  { cwd, env, platform = process.platform }: FindExecutableOptions,
): Promise<string | undefined> {
  const isBare = path.basename(command) === command;
  const folders = isBare
    ? (variable('PATH', env, platform) ?? '').split(path.delimiter).filter((folder) => folder !== '')
    : ['.'];
  for (const folder of folders) {
    for (const ending of endings(command, env, platform)) {
      const file = path.resolve(cwd, folder, `${command}${ending}`);
      if (await isExecutable(file)) return file;
    }
  }
  return undefined;
}

/**
 * The file endings of commands. On Windows, a command is named without its ending, and a file without one, such as
 * the script next to `npx.cmd`, is not a command.
 */
function endings(
  command: string,
  env: FindExecutableOptions['env'],
  platform: NodeJS.Platform,
): readonly string[] {
  if (platform !== 'win32') return [''];
  const known = (variable('PATHEXT', env, platform) ?? '.COM;.EXE;.BAT;.CMD').split(';');
  const hasEnding = known.some((ending) => command.toUpperCase().endsWith(ending.toUpperCase()));
  return hasEnding ? ['', ...known] : known;
}

/** The names of variables have no case on Windows. */
function variable(
  name: string,
  env: FindExecutableOptions['env'],
  platform: NodeJS.Platform,
): string | undefined {
  if (platform !== 'win32') return env[name];
  return Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1];
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
