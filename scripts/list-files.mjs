import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/**
 * The files that git tracks or would, with slashes: what a fresh clone has.
 *
 * @returns {Promise<string[]>}
 */
export async function listFiles() {
  const { stdout } = await promisify(execFile)(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', '-z'],
    { cwd: fileURLToPath(new URL('..', import.meta.url)) },
  );
  return stdout.split('\0').filter((path) => path !== '');
}
