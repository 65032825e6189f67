import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import type { ChangesSettings } from '@parley/host';
import type { Configuration } from './configuration.ts';
import { stateFolder, type Variables } from './places.ts';

/** A folder, and how its checkpoints are opened. */
export interface CoveredFolder extends Pick<ChangesSettings, 'open' | 'machine'> {
  readonly folder: string;
}

/** How what agents change is covered in a folder; undefined where it is switched off, or the folder is no workspace. */
export function changesSettings(
  { changes: { enabled, ...limits } = {} }: Pick<Configuration, 'changes'>,
  env: Variables,
  { folder, open, machine }: CoveredFolder,
): ChangesSettings | undefined {
  if (!(enabled ?? !isTooWide(folder))) return undefined;
  return {
    stateDir: stateFolder(env),
    ...limits,
    ...(open !== undefined && { open }),
    ...(machine !== undefined && { machine }),
  };
}

/** These hold everything of a user or of the machine: a checkpoint would store it all, so it takes an explicit `enabled: true`. */
function isTooWide(folder: string): boolean {
  const resolved = path.resolve(folder);
  return [path.parse(resolved).root, homedir(), tmpdir()].some((wide) => path.resolve(wide) === resolved);
}
