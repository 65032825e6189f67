import { createHash, randomUUID } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const root = fileURLToPath(new URL('..', import.meta.url));
const webFolder = join(root, 'packages', 'web');
const cacheFolder = join(root, 'node_modules', '.cache', 'parley-web');

/** What the interface is made of: its own files, and the sources of the packages it uses. */
const inputs = [
  'packages/web/index.html',
  'packages/web/package.json',
  'packages/web/vite.config.ts',
  'packages/web/public',
  'packages/web/src',
  'packages/wire/src',
  'packages/acp/src',
  'packages/recording/src',
  'packages/host/src',
  'packages/workspace/src',
  'package-lock.json',
  'scripts/build-web.mjs',
];

/** Builds that are kept, so that going back and forth between branches costs nothing. */
const keptBuilds = 4;

/** What becomes smaller. Images and fonts are compressed already. */
const compressible = new Set(['.html', '.js', '.css', '.json', '.svg', '.txt', '.webmanifest']);

/** What is smaller than this is sent in one packet anyway. */
const minCompressedBytes = 1024;

/**
 * Builds the web interface, with a compressed copy of each file beside it, unless it was built from the same files before.
 * Builds at the same time, of tests for example, do not disturb each other.
 *
 * @returns {Promise<string>} The folder it is in.
 */
export async function buildWeb() {
  const folder = join(cacheFolder, await digestInputs());
  if (await exists(join(folder, 'index.html'))) return folder;
  const temporary = join(cacheFolder, `new-${randomUUID()}`);
  await runVite(temporary);
  await Promise.all((await listFiles(temporary)).map(compress));
  await rename(temporary, folder).catch(async (/** @type {unknown} */ error) => {
    await rm(temporary, { recursive: true });
    // Another build was faster.
    if (!(await exists(folder))) throw error;
  });
  await dropOldBuilds();
  return folder;
}

/**
 * Tests that build it have an environment of their own, in which React would be its slow half.
 *
 * @param {string} outDir
 */
async function runVite(outDir) {
  const { build } = await import('vite');
  const before = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production';
  try {
    await build({ root: webFolder, logLevel: 'warn', build: { outDir, emptyOutDir: true } });
  } finally {
    if (before === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = before;
  }
}

/**
 * Builds the web interface, and puts it where a server looks for it.
 *
 * @param {string} folder The folder of the server's modules.
 */
export async function copyWeb(folder) {
  const built = await buildWeb();
  const target = join(folder, 'public');
  await rm(target, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await cp(built, target, { recursive: true });
}

async function digestInputs() {
  const files = (await Promise.all(inputs.map((path) => listFiles(join(root, path))))).flat();
  const hash = createHash('sha256').update(process.version);
  for (const file of files.filter((path) => !/\.(test|fixture)\.tsx?$/.test(path)).toSorted()) {
    hash.update(`${relative(root, file).split(sep).join('/')}\0`).update(await readFile(file));
  }
  return hash.digest('hex').slice(0, 16);
}

/**
 * @param {string} path A folder, or a file.
 * @returns {Promise<string[]>} None where there is nothing.
 */
async function listFiles(path) {
  try {
    const entries = await readdir(path, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  } catch {
    return (await exists(path)) ? [path] : [];
  }
}

/** @param {string} file */
async function compress(file) {
  const bytes = await readFile(file);
  if (!compressible.has(extname(file)) || bytes.byteLength < minCompressedBytes) return;
  const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, { params: quality }));
  await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }));
}

async function dropOldBuilds() {
  const names = await readdir(cacheFolder);
  const builds = await Promise.all(
    names.map(async (name) => {
      const folder = join(cacheFolder, name);
      return { folder, time: (await stat(folder).catch(() => ({ mtimeMs: 0 }))).mtimeMs };
    }),
  );
  const old = builds.toSorted((one, other) => other.time - one.time).slice(keptBuilds);
  await Promise.all(old.map(({ folder }) => rm(folder, { recursive: true, force: true })));
}

/** @param {string} path */
async function exists(path) {
  return stat(path).then(
    () => true,
    () => false,
  );
}
