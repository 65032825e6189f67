import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { copyWeb } from './build-web.mjs';
import { removeStale } from './remove-stale.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const commandFolder = join(root, 'packages', 'cli');

/**
 * Bundles the `parley` command from sources. Our own packages go in; what the command's package.json lists as
 * dependencies stays outside. See docs/decisions/0002-one-package-for-the-command.md.
 *
 * @param {string} folder Where the bundle goes: files of an earlier bundle there are removed.
 * @param {readonly string[]} programs Further programs that share its modules.
 */
export async function bundleCommand(folder, programs = []) {
  const result = await build({
    absWorkingDir: root,
    entryPoints: [join(commandFolder, 'src', 'main.ts'), ...programs],
    outdir: folder,
    // Flat, so that a path relative to the module (`../package.json`) is right in each chunk.
    entryNames: '[name]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    conditions: ['@parley/source'],
    external: commandDependencies(),
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
    logLevel: 'warning',
  });
  refuseStrangers(Object.keys(result.metafile.inputs));
  await removeStale(
    folder,
    Object.keys(result.metafile.outputs).map((file) => join(root, file)),
  );
}

/** The packages that are installed with the command. */
export function commandDependencies() {
  return Object.keys(JSON.parse(readFileSync(join(commandFolder, 'package.json'), 'utf8')).dependencies);
}

/**
 * A third-party package in the bundle would be shipped without its license and out of sight of `npm audit`.
 *
 * @param {readonly string[]} inputs
 */
function refuseStrangers(inputs) {
  const strangers = inputs.filter((file) => file.includes('node_modules/'));
  if (strangers.length === 0) return;
  throw new Error(
    `The bundle contains ${strangers.join(', ')}: list the package in the dependencies of packages/cli/package.json.`,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = join(commandFolder, 'dist');
  const start = performance.now();
  await Promise.all([bundleCommand(folder), copyWeb(folder)]);
  const seconds = ((performance.now() - start) / 1000).toFixed(2);
  process.stderr.write(`bundled ${relative(root, folder)} in ${seconds} s\n`);
}
