import { exec } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

// Packs each package as it would be published, and reports what its users would trip over.

const run = promisify(exec);
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'parley-packages-'));
try {
  for (const { name, filename, files } of await pack()) {
    const tarball = join(folder, filename);
    const problems = [
      ...missingFiles(files.map(({ path }) => path)),
      ...(await lint(tarball)),
      ...(files.some(({ path }) => path.endsWith('.d.ts')) ? await checkTypes(tarball) : []),
    ];
    console.log(`${problems.length === 0 ? '✓' : '✗'} ${name}: ${files.length} files`);
    for (const problem of problems) console.log(problem);
    if (problems.length > 0) process.exitCode = 1;
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

/**
 * @typedef {object} Packed
 * @property {string} name
 * @property {string} filename
 * @property {readonly { readonly path: string }[]} files
 */

/** @returns {Promise<readonly Packed[]>} */
async function pack() {
  const { stdout } = await run(`npm pack --workspaces --json --pack-destination "${folder}"`, { cwd: root });
  /** @type {readonly Packed[]} */
  const packed = JSON.parse(stdout);
  return packed;
}

/** @param {readonly string[]} paths */
function missingFiles(paths) {
  const needed = ['LICENSE', 'README.md'];
  const unwanted = paths.filter((path) => /\.test\.|\.tsbuildinfo$/.test(path));
  return [
    ...needed.filter((path) => !paths.includes(path)).map((path) => `  ${path} is missing`),
    ...unwanted.map((path) => `  ${path} should not be published`),
  ];
}

/** @param {string} tarball */
async function lint(tarball) {
  const file = await readFile(tarball);
  const data = file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength);
  const { messages, pkg } = await publint({ pack: { tarball: data }, strict: true });
  return messages.map((message) => `  ${formatMessage(message, pkg, { color: false }) ?? message.code}`);
}

/** @param {string} tarball */
async function checkTypes(tarball) {
  try {
    await run(`attw "${tarball}" --profile esm-only --no-color --no-emoji`, { cwd: root });
    return [];
  } catch (error) {
    return [`  ${error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error)}`];
  }
}
