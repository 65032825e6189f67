import { exec } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { examplesIn } from './examples.mjs';
import { listFiles } from './list-files.mjs';

// Type-checks the TypeScript of the documents as users of the packages would: against the declarations that are published.

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'node_modules', '.cache', 'examples');
await rm(folder, { recursive: true, force: true });

let count = 0;
for (const path of (await listFiles()).filter((file) => file.endsWith('.md'))) {
  for (const { line, code } of examplesIn(await readFile(join(root, path), 'utf8'))) {
    const file = join(folder, `${path}.${line}.mts`);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, code);
    count += 1;
  }
}
const config = {
  compilerOptions: {
    target: 'ES2023',
    lib: ['ES2023', 'ESNext.Disposable'],
    types: ['node'],
    module: 'nodenext',
    moduleDetection: 'force',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
  },
  include: ['**/*.mts'],
};
await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));

const lines = await check();
for (const line of lines) console.error(line);
const faults = lines.filter((line) => !line.startsWith(' '));
console.error(`${count} examples, ${faults.length} faults`);
if (count === 0 || faults.length > 0) process.exitCode = 1;

/** @returns {Promise<readonly string[]>} What the compiler says, with the place in the document. */
async function check() {
  try {
    const tsc = join(root, 'node_modules', '.bin', 'tsc');
    await promisify(exec)(`"${tsc}" -p . --pretty false`, { cwd: folder });
    return [];
  } catch (error) {
    if (!(error instanceof Error) || !('stdout' in error)) throw error;
    return String(error.stdout)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.replace(/\.\d+\.mts\((\d+),(\d+)\)/, ':$1:$2'));
  }
}
