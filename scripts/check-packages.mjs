import { exec } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

// Packs each package as it would be published, and reports what its users would trip over.

const packagesAtOnce = 2;

/** Those that serve the web interface, and so carry it. */
const withWeb = new Set(['@parley/gateway', 'parley-acp']);

const run = promisify(exec);
const root = fileURLToPath(new URL('..', import.meta.url));
/** @type {{ readonly workspaces: readonly string[] }} */
const { workspaces } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
const waiting = (await Promise.all(workspaces.map(withManifest))).filter(({ isPrivate }) => !isPrivate);
const temporary = await mkdtemp(join(tmpdir(), 'parley-packages-'));
try {
  await Promise.all(
    Array.from({ length: packagesAtOnce }, async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        await check(next.workspace);
      }
    }),
  );
} finally {
  await rm(temporary, { recursive: true, force: true });
}

/**
 * @typedef {object} Packed
 * @property {string} name
 * @property {string} filename
 * @property {readonly { readonly path: string }[]} files
 */

/** @param {string} workspace */
async function withManifest(workspace) {
  /** @type {{ readonly private?: boolean }} */
  const manifest = JSON.parse(await readFile(join(root, workspace, 'package.json'), 'utf8'));
  return { workspace, isPrivate: manifest.private === true };
}

/** @param {string} workspace */
async function check(workspace) {
  // A folder for each: the tarballs of @parley/acp and parley-acp have the same name.
  const folder = join(temporary, workspace);
  await mkdir(folder, { recursive: true });
  const { name, filename, files } = await pack(workspace, folder);
  const tarball = join(folder, filename);
  const problems = [
    ...judgeFiles(
      name,
      files.map(({ path }) => path),
    ),
    ...(await lint(tarball)),
    ...(files.some(({ path }) => path.endsWith('.d.ts')) ? await checkTypes(tarball) : []),
  ];
  console.log(
    [`${problems.length === 0 ? '✓' : '✗'} ${name}: ${files.length} files`, ...problems].join('\n  '),
  );
  if (problems.length > 0) process.exitCode = 1;
}

/**
 * @param {string} workspace
 * @param {string} folder
 */
async function pack(workspace, folder) {
  const command = `npm pack --workspace ${workspace} --json --pack-destination "${folder}"`;
  const { stdout } = await run(command, { cwd: root });
  /** @type {readonly Packed[]} */
  const [packed] = JSON.parse(stdout);
  if (packed === undefined) throw new Error(`${command}: nothing was packed`);
  return packed;
}

/**
 * @param {string} name
 * @param {readonly string[]} paths
 */
function judgeFiles(name, paths) {
  const needed = [
    'LICENSE',
    'README.md',
    ...(withWeb.has(name) ? ['dist/public/index.html', 'dist/public/licenses.txt'] : []),
  ];
  const unwanted = paths.filter((path) => /\.test\.|\.fixture\.|\.tsbuildinfo$/.test(path));
  return [
    ...needed.filter((path) => !paths.includes(path)).map((path) => `${path} is missing`),
    ...unwanted.map((path) => `${path} should not be published`),
  ];
}

/** @param {string} tarball */
async function lint(tarball) {
  const { buffer, byteOffset, byteLength } = await readFile(tarball);
  const { messages, pkg } = await publint({
    pack: { tarball: buffer.slice(byteOffset, byteOffset + byteLength) },
    strict: true,
  });
  return messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code);
}

/** @param {string} tarball */
async function checkTypes(tarball) {
  const attw = join(root, 'node_modules', '.bin', 'attw');
  try {
    await run(`"${attw}" "${tarball}" --profile esm-only --no-color --no-emoji`);
    return [];
  } catch (error) {
    return [
      error instanceof Error && 'stdout' in error
        ? `${error.message}\n${String(error.stdout)}`
        : String(error),
    ];
  }
}
