/**
 * `npm run generate` writes `packages/acp/src/schema/v1` from the JSON Schemas of the official package.
 * With `--check` it writes nothing, names the files which that would change, and fails if there are any.
 * `--into FOLDER` takes another folder than `packages/acp/src/schema`.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { aheadOfSchema } from './ahead-of-schema.mjs';
import { generateFiles } from './files.mjs';
import { formatFiles } from './format.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const versions = ['v1'];
const { values: options } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    into: { type: 'string', default: path.join(root, 'packages/acp/src/schema') },
  },
});

const wanted = await formatFiles(await wantedFiles(), root);
const present = await presentFiles();
const stale = Object.keys({ ...present, ...wanted })
  .filter((name) => present[name] !== wanted[name])
  .toSorted();

if (options.check) {
  for (const name of stale) {
    console.error(`stale: ${path.relative(process.cwd(), path.join(options.into, name))}`);
  }
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  for (const name of stale) await replace(path.join(options.into, name), wanted[name]);
  console.log(`${stale.length} of ${Object.keys(wanted).length} generated files changed`);
}

/** @returns {Promise<Record<string, string>>} by path below the target */
async function wantedFiles() {
  const official = path.join(root, 'node_modules/@agentclientprotocol/sdk');
  const read = async (...names) => JSON.parse(await readFile(path.join(official, ...names), 'utf8'));
  const { name, version: release } = await read('package.json');
  const files = {};
  for (const version of versions) {
    const stable = await read('schema', version, 'schema.json');
    const unstable = await read('schema', version, 'schema.unstable.json');
    const schemas = aheadOfSchema({ stable, unstable });
    Object.assign(files, generateFiles({ version, source: `${name} ${release}`, ...schemas }));
  }
  return files;
}

/** What is there now. Everything in a version's folder is generated; what stands beside it is written by hand. */
async function presentFiles() {
  const files = {};
  for (const version of versions) {
    const folder = path.join(options.into, version);
    await mkdir(folder, { recursive: true });
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = path.join(entry.parentPath, entry.name);
      files[path.relative(options.into, file).split(path.sep).join('/')] = await readFile(file, 'utf8');
    }
  }
  return files;
}

async function replace(file, text) {
  if (text === undefined) return rm(file);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}
