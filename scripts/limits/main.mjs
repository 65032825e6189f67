/**
 * `npm run generate` writes `docs/limits.md` from the constants of the packages and their doc comments. With `--check` it writes
 * nothing, and fails when the page is not up to date.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { formatFiles } from '../generate/format.mjs';
import { listFiles } from '../list-files.mjs';
import { limitsPage } from './limits-page.mjs';
import { readBounds } from './read-bounds.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const file = 'docs/limits.md';

const bounds = await readBounds(root, await listFiles());
const { [file]: page = '' } = await formatFiles({ [file]: limitsPage(bounds) }, root);
if (!process.argv.includes('--check')) await writeFile(`${root}/${file}`, page);
else if ((await readFile(`${root}/${file}`, 'utf8')) !== page) {
  console.error(`stale: ${file}: run npm run generate`);
  process.exitCode = 1;
}
console.error(`${bounds.length} bounds`);
