import { readdir, rm } from 'node:fs/promises';
import { join, sep } from 'node:path';

/**
 * Removes the modules of an earlier bundle: a tarball made here would carry them. The web interface is replaced as a whole.
 *
 * @param {string} folder
 * @param {readonly string[]} fresh The files of the new bundle, as absolute paths.
 */
export async function removeStale(folder, fresh) {
  const files = await readdir(folder, { recursive: true });
  const modules = files
    .filter((file) => /\.js(\.map)?$/.test(file) && !file.startsWith(`public${sep}`))
    .map((file) => join(folder, file));
  await Promise.all(modules.filter((file) => !fresh.includes(file)).map((file) => rm(file)));
}
