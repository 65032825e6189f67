import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

/**
 * The files as the formatter of this repository leaves them. It works in a folder of its own, so that it can be
 * used without writing into the tree, and without the exceptions which the tree makes for generated files.
 *
 * @param {Readonly<Record<string, string>>} files by path
 * @param {string} root of the repository
 */
export async function formatFiles(files, root) {
  const folder = await mkdtemp(path.join(tmpdir(), 'parley-generate-'));
  try {
    const options = JSON.parse(await readFile(path.join(root, '.oxfmtrc.json'), 'utf8'));
    delete options.$schema;
    delete options.ignorePatterns;
    await writeFile(path.join(folder, '.oxfmtrc.json'), JSON.stringify(options));
    for (const [name, text] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
      await writeFile(path.join(folder, name), text);
    }
    await promisify(execFile)(process.execPath, [path.join(root, 'node_modules/oxfmt/bin/oxfmt'), '.'], {
      cwd: folder,
    });
    const formatted = {};
    for (const name of Object.keys(files)) formatted[name] = await readFile(path.join(folder, name), 'utf8');
    return formatted;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
