import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import type { ChangesSettings } from '@parley/host';
import type { Configuration } from './configuration.ts';
import { stateFolder, type Variables } from './places.ts';

/** How what agents change is covered in a folder; undefined where it is switched off, or the folder is no workspace. */
export function changesSettings(
  { changes: { enabled, ...limits } = {} }: Pick<Configuration, 'changes'>,
  env: Variables,
  folder: string,
): ChangesSettings | undefined {
  return (enabled ?? !isTooWide(folder)) ? { stateDir: stateFolder(env), ...limits } : undefined;
}

/** These hold everything of a user or of the machine: a checkpoint would store it all, so it takes an explicit `enabled: true`. */
function isTooWide(folder: string): boolean {
  const resolved = path.resolve(folder);
  return [path.parse(resolved).root, homedir(), tmpdir()].some((wide) => path.resolve(wide) === resolved);
}
