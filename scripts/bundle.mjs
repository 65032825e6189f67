import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { copyWeb } from './build-web.mjs';
import { directImports } from './direct-imports.mjs';
import { readEntries } from './read-workspace.mjs';
import { removeStale } from './remove-stale.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const commandFolder = join(root, 'packages', 'cli');
const sources = join(commandFolder, 'src');

/**
 * The commands whose start matters most, by the modules that do their work. A module that several of them need is in one file with
 * all others that the same ones need: a start loads nothing else, and in few files. `session` is what a run loads while its
 * agent starts.
 */
const starts = {
  any: ['program.ts'],
  agent: ['agent-command.ts', 'conversation/agent/own-agent.ts'],
  run: ['run/run.ts'],
  session: ['conversation/command-sessions.ts'],
  chat: ['chat/chat.ts'],
  serve: ['serve/serve.ts'],
  attach: ['attach/attach.ts', 'proxy/proxy-acp.ts'],
  sessions: ['sessions/list.ts', 'sessions/show.ts'],
  agents: ['agents/list-agents.ts', 'completion/completion.ts'],
};

/**
 * Bundles the `parley` command from sources. Our own packages go in; what the command's package.json lists as
 * dependencies stays outside. See docs/decisions/0087-parts-of-the-command.md.
 *
 * @param {string} folder Where the bundle goes: files of an earlier bundle there are removed.
 * @returns {Promise<readonly import('rolldown').OutputChunk[]>}
 */
export async function bundleCommand(folder) {
  const outside = commandDependencies();
  /** @type {(id: string) => string | undefined} */
  let partOf = () => undefined;
  const bundle = await rolldown({
    cwd: root,
    input: join(sources, 'main.ts'),
    platform: 'node',
    external: (id) => outside.some((name) => id === name || id.startsWith(`${name}/`)),
    resolve: { conditionNames: ['@parley/source', 'node', 'import'] },
    transform: { target: 'node20.19' },
    treeshake: { moduleSideEffects: false },
    preserveEntrySignatures: 'allow-extension',
    plugins: [
      directImports(await readEntries()),
      {
        name: 'parts',
        buildEnd() {
          const importsOf = (/** @type {string} */ id) => this.getModuleInfo(id)?.importedIds ?? [];
          const later = [...this.getModuleIds()].flatMap(
            (id) => this.getModuleInfo(id)?.dynamicallyImportedIds ?? [],
          );
          partOf = partsOf(importsOf, later);
        },
      },
    ],
    logLevel: 'warn',
  });
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    // Flat, so that a path relative to the module (`../package.json`) is right in each chunk.
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ debugName: 'parts', name: (id) => partOf(id) ?? null }],
    },
    comments: false,
    sourcemap: true,
    sourcemapExcludeSources: true,
  });
  await bundle.close();
  const chunks = output.filter((file) => file.type === 'chunk');
  refuseStrangers(chunks.flatMap(({ moduleIds }) => moduleIds.map((file) => relative(root, file))));
  await removeStale(
    folder,
    output.map(({ fileName }) => join(folder, fileName)),
  );
  return chunks;
}

/**
 * Which file a module goes into: the one for those {@link starts} that need it. Undefined where the bundler decides, as for what
 * only other commands need. What one start needs at once, and others later, is in files of its own: those would load all of that
 * start otherwise. No file needs one that needs it, because what a module imports is needed wherever that module is.
 *
 * @param {(id: string) => readonly string[]} importsOf
 * @param {readonly string[]} later Modules that are imported when they are needed.
 * @returns {(id: string) => string | undefined}
 */
function partsOf(importsOf, later) {
  const entry = join(sources, 'main.ts');
  const before = reachable([entry], importsOf);
  const needs = Object.entries(starts).map(([name, files]) => {
    const modules = files.map((file) => join(sources, file));
    return { name, modules, needed: reachable(modules, importsOf) };
  });
  const others = later.filter((id) => !needs.some(({ modules }) => modules.includes(id)));
  const neededLater = others.map((id) => reachable([id], importsOf));
  return (id) => {
    // What loads a module of this part must not run the command.
    if (before.has(id)) return id === entry ? undefined : 'start';
    const starting = needs.flatMap(({ name, needed }) => (needed.has(id) ? [name] : []));
    // A run has loaded it by then.
    const names = starting.includes('run') ? starting.filter((name) => name !== 'session') : starting;
    if (names.length === 0) return undefined;
    const part = `for-${names.join('-')}`;
    if (names.length > 1) return part;
    const users = neededLater.flatMap((needed, index) => (needed.has(id) ? [index] : []));
    return users.length === 0 ? part : `${part}-${digest(users.join())}`;
  };
}

/** @param {string} text */
function digest(text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

/**
 * These modules, and all that they import at once.
 *
 * @param {readonly string[]} modules
 * @param {(id: string) => readonly string[]} importsOf
 * @returns {ReadonlySet<string>}
 */
function reachable(modules, importsOf) {
  const found = new Set(modules);
  // A set is iterated with what is added meanwhile.
  for (const id of found) for (const imported of importsOf(id)) found.add(imported);
  return found;
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
