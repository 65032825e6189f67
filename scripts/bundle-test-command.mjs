import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const commandFolder = join(root, 'packages', 'cli');

/**
 * Bundles the `parley` command for tests, which start it some thousand times: from the same sources as the shipped one, but as scripts
 * with all packages, so that V8 can read their compiled code from files. Node 20 cannot do that for modules. See
 * docs/decisions/0058-many-commands-in-one-process.md.
 *
 * @param {string} folder Where `bin` and `dist` are made: below packages/cli, where the command's dependencies are found.
 */
export async function bundleTestCommand(folder) {
  const [bin, dist] = [join(folder, 'bin'), join(folder, 'dist')];
  await mkdir(bin, { recursive: true });
  await Promise.all([
    cp(join(commandFolder, 'package.json'), join(folder, 'package.json')),
    writeFile(join(bin, 'package.json'), '{ "type": "commonjs" }\n'),
    ...['parley', 'command-runner'].map((name) => writeFile(join(bin, `${name}.js`), toStarter(name))),
    bundleParts(dist),
  ]);
  await warmUp(join(bin, 'parley.js'));
}

/**
 * Bundles both programs as parts: modules that the same dynamic imports need are one script, so that a process loads little that it does
 * not run.
 *
 * @param {string} dist
 */
async function bundleParts(dist) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [join(commandFolder, 'test', 'programs.ts')],
    outdir: dist,
    bundle: true,
    write: false,
    format: 'esm',
    splitting: true,
    platform: 'node',
    target,
    // One `main` loads its parts in a way that esbuild does not follow.
    mainFields: ['module', 'main'],
    conditions: ['@parley/source'],
    // Finds its program by its own path.
    external: ['@vscode/ripgrep'],
    logLevel: 'warning',
  });
  await mkdir(dist, { recursive: true });
  await Promise.all(
    outputFiles.map(async ({ path, text }) => {
      const { code } = await transform(text, {
        format: 'cjs',
        platform: 'node',
        target,
        // With code from the file, V8 does not report to Node which script imports: what is external is loaded with `require`.
        supported: { 'dynamic-import': false },
        define: { 'import.meta.url': 'moduleUrl' },
        // The starter calls this function: text that it added would cost it a second copy of each part.
        banner:
          '(function (exports, require, module, __filename, __dirname) { const moduleUrl = require("node:url").pathToFileURL(__filename).href;',
        footer: '})',
        minifyWhitespace: true,
        // Node shows the line of an uncaught error.
        lineLimit: 160,
        logLevel: 'warning',
      });
      await writeFile(path, code);
    }),
  );
}

const target = 'node20.19';

/**
 * The file that starts one of the programs.
 *
 * @param {string} name
 */
function toStarter(name) {
  return `'use strict';
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { join } = require('node:path');
const { Script } = require('node:vm');

const dist = join(__dirname, '..', 'dist');
const requireFile = createRequire(join(dist, 'programs.js'));
const parts = new Map();

function requirePart(name) {
  if (!name.startsWith('./')) return requireFile(name);
  const file = join(dist, name);
  const part = parts.get(file);
  if (part !== undefined) return part.module.exports;
  const cache = \`\${file}.cache\`;
  const cachedData = existsSync(cache) ? readFileSync(cache) : undefined;
  const script = new Script(readFileSync(file, 'latin1'), { filename: file, cachedData });
  const module = { exports: {} };
  parts.set(file, { module, script, cache });
  script.runInThisContext()(module.exports, requirePart, module, file, dist);
  return module.exports;
}

if (process.env.${warmUpVariable} !== undefined && process.env.${warmUpVariable} === process.argv[2]) {
  delete process.env.${warmUpVariable};
  process.on('exit', () => {
    for (const { script, cache } of parts.values()) writeFileSync(cache, script.createCachedData());
  });
}
void requirePart('./programs.js').programs['${name}']();
`;
}

const warmUpVariable = 'PARLEY_TEST_WARM_UP';

/**
 * Runs what most tests run, so that its functions are compiled in the files that later processes read. Each process adds to
 * what the one before it wrote.
 *
 * @param {string} file
 */
async function warmUp(file) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-warm-up-'));
  const turn = ['run', '--approve', 'all', 'say: hello\nrun echo done'];
  try {
    await runToEnd(file, 'agent', turn, folder);
    await runToEnd(file, 'run', turn, folder);
    await runToEnd(file, 'serve', ['serve', '--port', '0', '--workspace', '.'], folder, async (line) => {
      if (!line.includes('code=')) return false;
      await runToEnd(file, 'none', ['attach', '--new', '--prompt', 'say: hello'], folder);
      return true;
    });
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * @param {string} file
 * @param {string} kept The command whose process stores its functions: this one, or one that it starts.
 * @param {readonly string[]} words
 * @param {string} folder
 * @param {(line: string) => Promise<boolean>} [isDone] Whether it is to be ended after this line.
 */
async function runToEnd(file, kept, words, folder, isDone = async () => false) {
  const env = { ...process.env, PARLEY_HOME: join(folder, '.home'), [warmUpVariable]: kept };
  const child = spawn(process.execPath, [file, ...words], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const closed = once(child, 'close');
  for await (const line of createInterface(child.stdout)) {
    if (await isDone(line)) child.kill();
  }
  await closed;
}
