import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The files of the web interface. */
export interface WebAssets {
  /** Returns the file at a path below the root, such as `assets/main-a1b2.js`. */
  find(name: string): WebAsset | undefined;
}

/** A file of the web interface. */
export interface WebAsset {
  readonly type: string;
  /** Whether its name changes with its content. */
  readonly isImmutable: boolean;
  /** The encodings of the file, the smallest first. */
  readonly variants: readonly AssetVariant[];
}

/** One encoding of a file. */
export interface AssetVariant {
  /** The value of `Content-Encoding`; absent if the file is not compressed. */
  readonly encoding?: 'br' | 'gzip';
  readonly etag: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The folder in which the build puts them: next to the bundle of this module. */
const shippedFolder = fileURLToPath(new URL('public', import.meta.url));

/**
 * Reads the files of the web interface (a few hundred kilobytes).
 *
 * @returns Undefined if the web interface was not built.
 */
export async function readWebAssets(folder: string = shippedFolder): Promise<WebAssets | undefined> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const entry of names) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    files.set(path.relative(folder, file).split(path.sep).join('/'), new Uint8Array(await readFile(file)));
  }
  const assets = new Map<string, WebAsset>();
  for (const [name, bytes] of files) {
    const type = types.get(path.posix.extname(name));
    if (type === undefined) continue;
    assets.set(name, {
      type,
      isImmutable: name.startsWith(hashedFolder),
      variants: [
        ...toVariant('br', files.get(`${name}.br`)),
        ...toVariant('gzip', files.get(`${name}.gz`)),
        { etag: etagOf(bytes), bytes },
      ],
    });
  }
  return assets.has(indexName) ? { find: (name) => assets.get(name) } : undefined;
}

/** The page that each address of the interface has. */
export const indexName = 'index.html';

/** The folder in which all file names contain a hash. */
const hashedFolder = 'assets/';

const types = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.json', 'application/json'],
  ['.webmanifest', 'application/manifest+json'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.ico', 'image/x-icon'],
  ['.woff2', 'font/woff2'],
  ['.txt', 'text/plain; charset=utf-8'],
]);

function toVariant(
  encoding: 'br' | 'gzip',
  bytes: Uint8Array<ArrayBuffer> | undefined,
): readonly AssetVariant[] {
  return bytes === undefined ? [] : [{ encoding, etag: etagOf(bytes), bytes }];
}

function etagOf(bytes: Uint8Array): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
}
