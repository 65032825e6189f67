import { existsSync } from 'node:fs';
import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { copyWeb } from './build-web.mjs';
import { bundleCommand } from './bundle.mjs';

const command = fileURLToPath(new URL('../packages/cli', import.meta.url));

/**
 * Bundles the `parley` command from sources before the tests and before each re-run, and says in `PARLEY_TEST_BIN`
 * where it is: a JavaScript file that `node` runs. It lies where the command's dependencies are found.
 */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  // Each of some thousand processes would read all of these certificates when it starts. No test leaves this machine.
  delete process.env['NODE_EXTRA_CA_CERTS'];
  if (!existsSync(join(command, 'src', 'main.ts'))) return undefined;
  const folder = join(command, 'node_modules', '.cache', 'parley-test', String(process.pid));
  await mkdir(folder, { recursive: true });
  await cp(join(command, 'bin'), join(folder, 'bin'), { recursive: true });
  await cp(join(command, 'package.json'), join(folder, 'package.json'));
  process.env['PARLEY_TEST_BIN'] = join(folder, 'bin', 'parley.js');
  await bundle(join(folder, 'dist'));
  project.onTestsRerun(() => bundle(join(folder, 'dist')));
  return () => rm(folder, { recursive: true, force: true });
}

/** A command that cannot be bundled fails the tests that start it, and leaves the others alone. */
async function bundle(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  try {
    await bundleCommand(folder);
    if (needsWeb()) await copyWeb(folder);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    process.stderr.write(`The parley command cannot be bundled for the tests: ${String(error)}\n`);
  }
}

/** Whether the tests that were asked for may open the web interface: those that name others do without. */
function needsWeb(): boolean {
  const asked = process.argv.slice(2).filter((word) => !word.startsWith('-') && word !== 'run');
  return asked.length === 0 || asked.some((word) => word.includes('web'));
}
