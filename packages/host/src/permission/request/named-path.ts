import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file as an agent names it, absolute: it may be an address, or begin in the home directory. */
export function toNamedPath(cwd: string, name: string): string {
  if (/^file:\/\//iu.test(name)) {
    try {
      return fileURLToPath(name);
    } catch {
      return resolve(cwd, name);
    }
  }
  return /^~(?=[\\/]|$)/u.test(name) ? join(homedir(), name.slice(1)) : resolve(cwd, name);
}
