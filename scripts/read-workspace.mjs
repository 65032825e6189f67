import { readdir, readFile } from 'node:fs/promises';
import { join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * @typedef {object} Manifest
 * @property {string} name
 * @property {readonly string[]} [workspaces]
 * @property {Readonly<Record<string, string | Readonly<Record<string, string>>>>} [exports]
 * @property {Readonly<Record<string, string>>} [dependencies]
 * @property {Readonly<Record<string, string>>} [devDependencies]
 */

/** @returns {Promise<import('./import-rules.mjs').Workspace>} */
export async function readWorkspace() {
  const top = await readManifest('.');
  const packages = await Promise.all(
    (top.workspaces ?? []).map(async (folder) => {
      const { name, exports = {}, dependencies = {}, devDependencies = {} } = await readManifest(folder);
      return {
        folder,
        name,
        entries: sourcesOf(exports).map(([, source]) => posix.join(folder, source)),
        dependencies: Object.keys(dependencies),
        devDependencies: Object.keys(devDependencies),
      };
    }),
  );
  return { packages, devDependencies: Object.keys(top.devDependencies ?? {}) };
}

/**
 * The source files of what our packages export, by the words of an import, such as `@parley/host/state`.
 *
 * @returns {Promise<ReadonlyMap<string, string>>} Absolute paths.
 */
export async function readEntries() {
  const { workspaces = [] } = await readManifest('.');
  const entries = await Promise.all(
    workspaces.map(async (folder) => {
      const { name, exports = {} } = await readManifest(folder);
      return sourcesOf(exports).map(
        ([subpath, source]) => /** @type {const} */ ([posix.join(name, subpath), join(root, folder, source)]),
      );
    }),
  );
  return new Map(entries.flat());
}

/**
 * What a package exports that has a source, and that source.
 *
 * @param {NonNullable<Manifest['exports']>} exports
 */
function sourcesOf(exports) {
  return Object.entries(exports).flatMap(([subpath, target]) =>
    typeof target === 'string' ? [] : [/** @type {const} */ ([subpath, target['@parley/source'] ?? ''])],
  );
}

/** @param {string} folder */
async function readManifest(folder) {
  /** @type {Manifest} */
  const manifest = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'));
  return manifest;
}

/**
 * The TypeScript of a package, with its tests.
 *
 * @param {string} folder
 * @returns {Promise<import('./import-rules.mjs').SourceFile[]>}
 */
export async function readSources(folder) {
  const found = await Promise.all(['src', 'test'].map((name) => list(join(root, folder, name))));
  return Promise.all(
    found
      .flat()
      .filter((path) => /\.tsx?$/.test(path))
      .map(async (path) => ({
        path: relative(root, path).split(sep).join('/'),
        text: await readFile(path, 'utf8'),
      })),
  );
}

/**
 * @param {string} folder
 * @returns {Promise<string[]>}
 */
async function list(folder) {
  try {
    const names = await readdir(folder, { recursive: true });
    return names.map((name) => join(folder, name));
  } catch {
    return []; // Not each package has both folders.
  }
}
