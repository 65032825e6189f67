import { type Reach, openRoots } from './confinement/roots.ts';
import { type Files, createFiles } from './files.ts';

/** The ways in which this system can hold a directory: Linux offers both. */
export const reaches: readonly Reach[] = process.platform === 'linux' ? ['descriptor', 'path'] : ['path'];

/** Opens files in one of these ways. */
export async function openFilesBy(
  reach: Reach,
  cwd: string,
  directories: readonly string[] = [],
): Promise<Files> {
  return createFiles({ ...(await openRoots(cwd, directories)), reach });
}
