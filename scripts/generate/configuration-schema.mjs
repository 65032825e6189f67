/**
 * `npm run generate` writes `packages/cli/configuration.schema.json` from the schema that configuration files are read with. With
 * `--check` it writes nothing, and fails when the file is not up to date.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { toJsonSchema } from '@valibot/to-json-schema';
import { build } from 'esbuild';
import { commandDependencies } from '../bundle.mjs';
import { formatFiles } from './format.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const file = 'packages/cli/configuration.schema.json';

const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Configuration of Parley',
  ...convert(await readSchema()),
};
const { [file]: text = '' } = await formatFiles({ [file]: JSON.stringify(schema) }, root);
if (!process.argv.includes('--check')) await writeFile(join(root, file), text);
else if ((await readFile(join(root, file), 'utf8').catch(() => '')) !== text) {
  console.error(`stale: ${file}: run npm run generate`);
  process.exitCode = 1;
}

/** The schema, from its sources. */
async function readSchema() {
  const folder = join(root, 'node_modules', '.cache', 'parley-configuration-schema');
  const outfile = join(folder, 'configuration-schema.mjs');
  await mkdir(folder, { recursive: true });
  await build({
    absWorkingDir: root,
    entryPoints: ['packages/cli/src/configuration/configuration-schema.ts'],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    conditions: ['@parley/source'],
    external: commandDependencies(),
    logLevel: 'warning',
  });
  const { configurationSchema } = await import(pathToFileURL(outfile).href);
  return configurationSchema;
}

/**
 * A schema as JSON Schema: what a file has to be, before anything in it is converted.
 *
 * @param {import('valibot').GenericSchema} valibotSchema
 * @returns {Record<string, unknown>}
 */
function convert(valibotSchema) {
  const { $schema: _dialect, ...converted } = toJsonSchema(valibotSchema, {
    target: 'draft-2020-12',
    // The steps before the last schema of a pipe only distinguish objects from lists, and convert them to maps.
    typeMode: 'output',
    ignoreActions: ['raw_check'],
    errorMode: 'ignore',
    overrideSchema: ({ valibotSchema: inner, jsonSchema }) => {
      if (inner.type === 'map') return { type: 'object', additionalProperties: convert(inner.value) };
      // Parley ignores fields that it does not know, with a warning; an editor marks them.
      return inner.type === 'object' ? { ...jsonSchema, additionalProperties: false } : undefined;
    },
  });
  return converted;
}
