import { existsSync } from 'node:fs';
import { access, chmod, constants, mkdir, mkdtemp, readdir, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { TestProject } from 'vitest/node';
import { copyWeb } from './build-web.mjs';
import { bundleTestCommand } from './bundle-test-command.mjs';
import { commandDependencies } from './bundle.mjs';

const command = fileURLToPath(new URL('../packages/cli', import.meta.url));

/**
 * Bundles the `parley` command from sources before the tests and before each re-run, and says in `PARLEY_TEST_BIN`
 * where it is: a JavaScript file that `node` runs. It lies where the command's dependencies are found, beside the program with
 * which tests run many commands in one process.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const temporary = await inMemory();
  if (temporary !== undefined) process.env['TMPDIR'] = temporary;
  const bundled = await setUpCommand(project);
  // A sandbox hides folders for temporary files. The name is short, for sockets in it.
  const visible = join(packages, '..', 'node_modules', '.cache', `parley-${String(process.pid)}`);
  await mkdir(visible, { recursive: true });
  process.env['PARLEY_TEST_VISIBLE'] = visible;
  // What several test files need, and the first of them makes. Other users read it: see packages/conformance/src/test-postgres.ts.
  const prepared = await mkdtemp(join(tmpdir(), 'parley-prepared-'));
  await chmod(prepared, 0o755);
  process.env['PARLEY_TEST_PREPARED'] = prepared;
  const made = [temporary, bundled, visible, prepared].filter((folder) => folder !== undefined);
  return async () => {
    await Promise.all(made.map((folder) => rm(folder, { recursive: true, force: true, maxRetries: 5 })));
  };
}

/** Bundles the command. @returns the folder in which it is */
async function setUpCommand(project: TestProject): Promise<string | undefined> {
  // Each of some thousand processes would read all of these certificates when it starts. No test leaves this machine.
  delete process.env['NODE_EXTRA_CA_CERTS'];
  if (!existsSync(join(command, 'src', 'main.ts'))) return undefined;
  const folder = join(command, 'node_modules', '.cache', 'parley-test', String(process.pid));
  process.env['PARLEY_TEST_BIN'] = join(folder, 'bin', 'parley.js');
  process.env['PARLEY_TEST_PROGRAMS'] = join(folder, 'programs');
  await bundle(folder);
  project.onTestsRerun(() => bundle(folder));
  return folder;
}

/** A command that cannot be bundled fails the tests that start it, and leaves the others alone. */
async function bundle(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  try {
    await bundlePrograms(join(folder, 'programs'));
    await bundleTestCommand(folder);
    if (needsWeb()) await copyWeb(join(folder, 'dist'));
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    process.stderr.write(`The parley command cannot be bundled for the tests: ${String(error)}\n`);
  }
}

/**
 * A folder for the temporary files of the tests that is no disk, where the system has one with enough room in which programs can
 * be started: what tests write and synchronize then costs no time. Folders of earlier runs that were killed are removed.
 */
async function inMemory(): Promise<string | undefined> {
  if (process.env['TMPDIR'] !== undefined || tmpdir() !== '/tmp') return undefined;
  const prefix = 'parley-tests-';
  try {
    const { type, bavail, bsize } = await statfs(memory);
    if (type !== tmpfs || bavail * bsize < enoughBytes) return undefined;
    const left = (await readdir(memory)).filter(
      (name) => name.startsWith(prefix) && !isRunning(name.slice(prefix.length)),
    );
    await Promise.all(left.map((name) => rm(join(memory, name), { recursive: true, force: true })));
    const folder = join(memory, `${prefix}${String(process.pid)}`);
    await mkdir(folder);
    // As /tmp: some tests start programs as another user.
    await chmod(folder, 0o1777);
    await writeFile(join(folder, 'program'), '', { mode: 0o700 });
    await access(join(folder, 'program'), constants.X_OK);
    return folder;
  } catch {
    return undefined;
  }
}

const memory = '/dev/shm';
/** The type of a file system in memory: statfs(2). */
const tmpfs = 0x01021994;
const enoughBytes = 4 * 1024 ** 3;

function isRunning(id: string): boolean {
  return existsSync(join('/proc', id));
}

/** Bundles what tests start many times: one file starts five times faster than its sources do. */
async function bundlePrograms(folder: string): Promise<void> {
  await build({
    absWorkingDir: packages,
    entryPoints: [...programs],
    outbase: packages,
    outdir: folder,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    conditions: ['@parley/source'],
    // The official SDK takes half of its start to load this one from its own files.
    external: commandDependencies().filter((name) => name !== 'zod'),
    logLevel: 'warning',
  });
}

const packages = fileURLToPath(new URL('../packages', import.meta.url));

/** Programs of the tests. `PARLEY_TEST_PROGRAMS` names the folder in which they are, as `.js`. */
const programs = [
  'cli/test/agents/official.mjs',
  'conformance/test/sandbox/escape.fixture.ts',
  'conformance/test/sandbox/holder.fixture.ts',
  'gateway/test/faults/gateway.fixture.ts',
  'gateway/test/store-writer.fixture.ts',
  'host/src/store/files/failing-writer.fixture.ts',
  'web/test/agents/stage.mjs',
  'workspace/src/checkpoint/killed.fixture.ts',
  'workspace/src/log/chain-writer.fixture.ts',
  'workspace/src/log/endless-writer.fixture.ts',
  'workspace/src/process/watched.fixture.ts',
  'workspace/src/restore/transaction/killed.fixture.ts',
] as const;

/** Whether the tests that were asked for may open the web interface: those that name others do without. */
function needsWeb(): boolean {
  const words = process.argv.slice(2);
  // A word behind an option is its value.
  const asked = words.filter(
    (word, at) => word !== 'run' && !word.startsWith('-') && words[at - 1]?.startsWith('-') !== true,
  );
  return asked.length === 0 || asked.some((word) => word.includes('web'));
}
