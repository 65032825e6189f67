import { exec, execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cleanEnv } from './command.ts';

interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

const packageFolder = fileURLToPath(new URL('..', import.meta.url));
let manifest: Manifest;
let folder: string;

beforeAll(async () => {
  manifest = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as Manifest;
  folder = await realpath(await mkdtemp(join(tmpdir(), 'parley-pack-')));
  await run(`npm pack --pack-destination "${folder}"`, packageFolder);
  const tarball = `parley-acp-${manifest.version}.tgz`;
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({
      private: true,
      dependencies: { 'parley-acp': `file:./${tarball}` },
      // The packages that are here already stand in for the registry's, so that no network is needed.
      overrides: Object.fromEntries(
        Object.keys(manifest.dependencies).map((name) => [name, `file:${locate(name)}`]),
      ),
    }),
  );
  // A folder in the place of a package would be built anew, which nothing from the registry is. None needs a script there.
  await run('npm install --offline --ignore-scripts --no-audit --no-fund', folder);
}, 300_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

test('the packed tarball installs elsewhere and its command prints the version', async () => {
  const { stdout } = await run('npm exec --offline -- parley --version', folder);

  expect(stdout.trim()).toBe(manifest.version);
});

test('the tarball contains the web interface and the licenses of its dependencies', async () => {
  const web = join(folder, 'node_modules', 'parley-acp', 'dist', 'public');

  expect(await readFile(join(web, 'index.html'), 'utf8')).toContain('<script type="module"');
  expect(await readFile(join(web, 'licenses.txt'), 'utf8')).toContain('react-dom');
});

test('the installed command runs a turn with the built-in agent', async () => {
  const { stdout } = await run('npm exec --offline -- parley run --format quiet "say: hello"', folder);

  expect(stdout.trim()).toBe('hello');
});

test('a run of the installed command loads the configuration library only if there is a file to read', async () => {
  const home = join(folder, 'home-without-file');
  const bin = join(folder, 'node_modules', 'parley-acp', 'bin', 'parley.js');
  const load = async (): Promise<string> => {
    const { stderr } = await promisify(execFile)(
      process.execPath,
      ['--import', toModule(register), bin, 'run', 'say: hello'],
      { cwd: folder, env: cleanEnv(home) },
    );
    return stderr;
  };

  expect(await load()).not.toContain('valibot is loaded');
  await mkdir(home, { recursive: true });
  await writeFile(join(home, 'config.json'), '{}');
  expect(await load()).toContain('valibot is loaded');
});

/** Reports on standard error when the library that reads files is loaded. */
const hooks = `
export async function resolve(specifier, context, next) {
  if (specifier === 'valibot') process._rawDebug('valibot is loaded');
  return next(specifier, context);
}`;
const register = `import { register } from 'node:module'; register(${JSON.stringify(toModule(hooks))});`;

function toModule(text: string): string {
  return `data:text/javascript,${encodeURIComponent(text)}`;
}

/** Runs a command line without what `npm test` put into the environment. */
function run(command: string, cwd: string): Promise<{ readonly stdout: string }> {
  const entries = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  return promisify(exec)(command, {
    cwd,
    env: { ...Object.fromEntries(entries), PARLEY_HOME: join(folder, 'home') },
  });
}

/** Where an installed package of the command is. */
function locate(name: string): string {
  const require = createRequire(join(packageFolder, 'package.json'));
  const paths = require.resolve.paths(name) ?? [];
  for (const path of paths) {
    try {
      return dirname(require.resolve(join(path, name, 'package.json')));
    } catch {
      // Not in this node_modules: the next one up.
    }
  }
  throw new Error(`${name} is not installed`);
}
