/**
 * `npm run docs` builds the documentation site into `site/dist`: the documents of the repository, and the API reference from
 * the declarations in the packages' `dist` folders. It needs no network.
 */
import { copyFile, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vitepress';
import { listFiles } from '../list-files.mjs';
import { readDeclarations } from './declarations.mjs';
import { pageOf, toPage } from './pages.mjs';
import { referenceIndex, referencePage } from './reference.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const pages = join(root, 'site', 'pages');

await rm(pages, { recursive: true, force: true });
await writeDocuments();
await writeReference();
await cp(join(root, 'docs', 'images'), join(pages, 'public', 'images'), { recursive: true });
await copyFile(join(root, 'LICENSE'), join(pages, 'public', 'LICENSE'));
await build(join(root, 'site'));
await addLeanChunks(join(root, 'site', 'dist', 'assets'));

async function writeDocuments() {
  const documents = (await listFiles()).flatMap((path) => {
    const page = pageOf(path);
    return page === undefined ? [] : [{ path, page }];
  });
  for (const { path, page } of documents) {
    await writePage(page, toPage({ path, text: await readFile(join(root, path), 'utf8') }));
  }
}

async function writeReference() {
  const { workspaces } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const manifests = await Promise.all(
    workspaces.map(async (/** @type {string} */ folder) => ({
      folder,
      ...JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8')),
    })),
  );
  const entries = await Promise.all(
    manifests.flatMap(({ folder, name, exports = {} }) =>
      Object.entries(exports)
        .filter(([, target]) => typeof target.types === 'string')
        .map(async ([path, { types }]) => ({
          specifier: name + path.slice(1),
          page: ['reference', folder.slice('packages/'.length), ...path.split('/').slice(1)]
            .join('-')
            .replace('-', '/'),
          declarations: await readDeclarations(join(root, folder, types)),
        })),
    ),
  );
  for (const entry of entries) await writePage(`${entry.page}.md`, referencePage(entry));
  await writePage('reference/index.md', referenceIndex(entries));
}

/**
 * The first page that a browser opens loads its chunk as `….lean.js`. VitePress adds these files in a way that Rolldown ignores;
 * a copy of the whole chunk works as well.
 *
 * @param {string} folder
 */
async function addLeanChunks(folder) {
  for (const name of await readdir(folder)) {
    if (!/\.md\.[\w-]+\.js$/.test(name)) continue;
    await copyFile(join(folder, name), join(folder, name.replace(/\.js$/, '.lean.js')));
  }
}

/**
 * @param {string} page
 * @param {string} text
 */
async function writePage(page, text) {
  const file = join(pages, page);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
