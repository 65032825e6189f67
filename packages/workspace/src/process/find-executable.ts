import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path from 'node:path';

/** The absolute path of a command: as it stands against `cwd`, or, for a bare name, where `PATH` has it. */
export async function findExecutable(
  command: string,
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
): Promise<string | undefined> {
  const isBare = path.basename(command) === command;
  const folders = isBare
    ? (env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '')
    : ['.'];
  for (const folder of folders) {
    for (const ending of endings(env)) {
      const file = path.resolve(cwd, folder, `${command}${ending}`);
      if (await isExecutable(file)) return file;
    }
  }
  return undefined;
}

/** On Windows a command is named without the ending that makes it one. */
function endings(env: Readonly<Record<string, string | undefined>>): string[] {
  if (process.platform !== 'win32') return [''];
  return ['', ...(env['PATHEXT'] ?? '.EXE;.CMD;.BAT').split(';')];
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
