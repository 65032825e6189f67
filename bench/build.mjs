import { readdir, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const folder = fileURLToPath(new URL('.', import.meta.url));

/**
 * Makes plain modules of the bench's programs in a folder below node_modules, from where Node finds packages as a user's
 * program does. `fromSources` takes our packages from their sources into the programs, for tests that need no build.
 *
 * @param {string} name
 * @param {{ fromSources: boolean }} options
 * @returns {Promise<string>} the folder
 */
export async function buildPrograms(name, { fromSources }) {
  const output = fileURLToPath(new URL(`../node_modules/.cache/${name}/`, import.meta.url));
  await rm(output, { recursive: true, force: true });
  const programs = await readdir(`${folder}programs`);
  await build({
    entryPoints: [`${folder}run.ts`, ...programs.map((program) => `${folder}programs/${program}`)],
    outdir: output,
    outbase: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    ...(fromSources
      ? { conditions: ['@parley/source'], external: ['@agentclientprotocol/sdk', 'vscode-jsonrpc', 'ws'] }
      : { packages: 'external' }),
  });
  return output;
}
