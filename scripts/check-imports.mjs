import { readdir, readFile } from 'node:fs/promises';
import { join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { judgeCycles, judgeFile, judgeManifests } from './import-rules.mjs';

// Reports what breaks the import rules of ARCHITECTURE.md.

const root = fileURLToPath(new URL('..', import.meta.url));

const workspace = await readWorkspace();
const files = (await Promise.all(workspace.packages.map(({ folder }) => readSources(folder)))).flat();
const violations = [
  ...judgeManifests(workspace),
  ...files.flatMap((file) => judgeFile(file, workspace)),
  ...judgeCycles(files),
];
for (const { path, line, rule, message } of violations) console.error(`${path}:${line} ${message} [${rule}]`);
console.error(`${files.length} files, ${violations.length} violations`);
if (files.length === 0 || violations.length > 0) process.exitCode = 1;

/**
 * @typedef {object} Manifest
 * @property {string} name
 * @property {readonly string[]} [workspaces]
 * @property {Readonly<Record<string, string | Readonly<Record<string, string>>>>} [exports]
 * @property {Readonly<Record<string, string>>} [dependencies]
 * @property {Readonly<Record<string, string>>} [devDependencies]
 */

/** @returns {Promise<import('./import-rules.mjs').Workspace>} */
async function readWorkspace() {
  const top = await readManifest('.');
  const packages = await Promise.all(
    (top.workspaces ?? []).map(async (folder) => {
      const { name, exports = {}, dependencies = {}, devDependencies = {} } = await readManifest(folder);
      const sources = Object.values(exports).flatMap((target) =>
        typeof target === 'string' ? [] : [target['@parley/source'] ?? ''],
      );
      return {
        folder,
        name,
        entries: sources.map((source) => posix.join(folder, source)),
        dependencies: Object.keys(dependencies),
        devDependencies: Object.keys(devDependencies),
      };
    }),
  );
  return { packages, devDependencies: Object.keys(top.devDependencies ?? {}) };
}

/** @param {string} folder */
async function readManifest(folder) {
  /** @type {Manifest} */
  const manifest = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'));
  return manifest;
}

/** @param {string} folder */
async function readSources(folder) {
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
