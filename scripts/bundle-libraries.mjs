import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { copyWeb } from './build-web.mjs';
import { removeStale } from './remove-stale.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Bundles a library's own files: one module for each entry of its `exports`, and what the entries share. Packages,
 * ours too, stay outside. Loading a hundred small modules takes several times as long as running what is in them.
 * See docs/decisions/0005-one-module-an-entry.md.
 *
 * @param {string} name The folder under `packages/`.
 */
export async function bundleLibrary(name) {
  const folder = join(root, 'packages', name);
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { metafile } = await build({
    absWorkingDir: folder,
    entryPoints: Object.values(exports).map((entry) => entry['@parley/source']),
    outdir: 'dist',
    outbase: 'src',
    chunkNames: 'chunk-[hash]',
    bundle: true,
    splitting: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
    logLevel: 'warning',
  });
  await removeStale(
    join(folder, 'dist'),
    Object.keys(metafile.outputs).map((file) => join(folder, file)),
  );
  if (name === 'gateway') await copyWeb(join(folder, 'dist'));
}

/** The libraries, lowest first. */
export const libraries = [
  'wire',
  'acp',
  'aap',
  'recording',
  'workspace',
  'agent',
  'host',
  'conformance',
  'postgres',
  'gateway',
];

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const names = process.argv.slice(2);
  await Promise.all((names.length === 0 ? libraries : names).map(bundleLibrary));
}
