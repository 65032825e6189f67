import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

/** Returns Parley's state folder: `PARLEY_HOME`, else a folder in the XDG state folder. */
export function stateDirectory(env: Readonly<Record<string, string | undefined>>): string {
  const home = env['PARLEY_HOME'];
  if (home !== undefined && home !== '') return resolve(home);
  const xdg = env['XDG_STATE_HOME'];
  // XDG Base Directory: a relative path is invalid and must be ignored.
  return join(xdg !== undefined && isAbsolute(xdg) ? xdg : join(homedir(), '.local', 'state'), 'parley');
}
