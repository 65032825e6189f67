import { open, stat } from 'node:fs/promises';
import path from 'node:path';
import { readNamedFile } from '@parley/workspace';

/** An npm package in one exact version. */
export interface ExactPackage {
  readonly name: string;
  readonly version: string;
}

/** The command that starts a package's program. */
export interface PackageCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** Size of a manifest file that is read. */
const maxManifestBytes = 16 * 1024 * 1024;

/** Bytes of a program's first line that are read. */
const firstLineBytes = 512;

/** Splits `name@1.2.3` and `@scope/name@1.2.3`. */
export function toExactPackage(specifier: string): ExactPackage {
  const at = specifier.lastIndexOf('@');
  return { name: specifier.slice(0, at), version: specifier.slice(at + 1) };
}

/**
 * Returns how to start the program of a package installed in a folder; undefined if a required package is missing or
 * has another version.
 */
export async function findInstalledPackage(
  folder: string,
  { name, version }: ExactPackage,
): Promise<PackageCommand | undefined> {
  const home = path.join(folder, 'node_modules', ...name.split('/'));
  const manifest = await readManifest(path.join(home, 'package.json'));
  if (manifest === undefined) return undefined;
  if (withoutBuild(text(manifest['version'])) !== withoutBuild(version)) return undefined;
  if (!(await isWhole(folder))) return undefined;
  const program = programIn(manifest, name);
  return program === undefined ? undefined : await toCommand(path.resolve(home, program));
}

type Fields = Readonly<Record<string, unknown>>;

async function readManifest(file: string): Promise<Fields | undefined> {
  try {
    const bytes = await readNamedFile(file, { maxBytes: maxManifestBytes });
    return fields(JSON.parse(bytes.toString('utf8')));
  } catch {
    // Missing or damaged: the package is not installed.
    return undefined;
  }
}

/** Whether the installation finished: npm writes its list of installed packages last. */
async function isWhole(folder: string): Promise<boolean> {
  const list = await readManifest(path.join(folder, 'node_modules', '.package-lock.json'));
  const packages = fields(list?.['packages']);
  if (packages === undefined) return false;
  const there = await Promise.all(
    Object.keys(packages).map((place) => isFile(path.join(folder, place, 'package.json'))),
  );
  return !there.includes(false);
}

/** Chooses the program as npx does: the only one, else the one named like the package. */
function programIn(manifest: Fields, name: string): string | undefined {
  const { bin } = manifest;
  if (typeof bin === 'string') return bin;
  const programs = Object.entries(fields(bin) ?? {});
  const [only] = programs;
  const [, program] =
    (programs.length === 1 ? only : programs.find(([key]) => key === name.split('/').at(-1))) ?? [];
  return typeof program === 'string' ? program : undefined;
}

/** A script for Node is run by the Node that runs us, with the options of its first line: `node` is not looked for on PATH. */
async function toCommand(file: string): Promise<PackageCommand | undefined> {
  if (!(await isFile(file))) return undefined;
  const line = await readFirstLine(file);
  const options = /^#!\S*\/(?:env\s+(?:-S\s+)?)?node(?:\s+(.*))?$/u.exec(line);
  if (options !== null) {
    const words = (options[1] ?? '').trim().split(/\s+/u);
    return { command: process.execPath, args: [...words.filter((word) => word !== ''), file] };
  }
  if (!line.startsWith('#!') && /\.[cm]?js$/u.test(file)) return { command: process.execPath, args: [file] };
  return { command: file, args: [] };
}

async function readFirstLine(file: string): Promise<string> {
  await using handle = await open(file, 'r');
  const bytes = Buffer.alloc(firstLineBytes);
  const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
  return bytes.subarray(0, bytesRead).toString('latin1').split('\n', 1)[0]?.trimEnd() ?? '';
}

function isFile(file: string): Promise<boolean> {
  return stat(file).then(
    (stats) => stats.isFile(),
    () => false,
  );
}

function fields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : undefined;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The version without build metadata: npm omits everything after `+`. */
function withoutBuild(version: string): string {
  return version.split('+', 1)[0] ?? '';
}
