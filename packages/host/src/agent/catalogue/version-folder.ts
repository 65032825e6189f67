import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';

/**
 * The folder in which programs are asked for their version: the user's, or the root if that one cannot be entered, as
 * in containers. Not the current folder: a project may configure what runs in it.
 */
export async function versionFolder(): Promise<string> {
  const home = path.resolve(homedir());
  try {
    await access(path.join(home, '.'), constants.X_OK);
    return home;
  } catch {
    return path.parse(home).root;
  }
}
