import { createHash, randomUUID } from 'node:crypto';
import { access, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { toWorkspaceError } from '../../error.ts';
import type { BytePath } from '../workspace-path.ts';

/** An entry of one of git's trees. */
export interface TreeEntry {
  readonly mode: string;
  readonly id: string;
  readonly name: BytePath;
}

/** An object as git stores it, and its id. */
export interface GitObject {
  readonly id: string;
  readonly bytes: Buffer;
}

export function blobObject(text: string): GitObject {
  return toObject('blob', Buffer.from(text, 'latin1'));
}

/** Serializes a tree. Entries are sorted as in git: a folder's name is compared with a trailing slash. */
export function treeObject(entries: readonly TreeEntry[]): GitObject {
  const key = ({ mode, name }: TreeEntry): string => (mode === '40000' ? `${name}/` : name);
  const sorted = entries.toSorted((left, right) => (key(left) < key(right) ? -1 : 1));
  const parts = sorted.flatMap(({ mode, name, id }) => [
    Buffer.from(`${mode} ${name}\0`, 'latin1'),
    Buffer.from(id, 'hex'),
  ]);
  return toObject('tree', Buffer.concat(parts));
}

/** git knows it without storing it. */
export const emptyTreeId = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

function toObject(type: string, content: Buffer): GitObject {
  const bytes = Buffer.concat([Buffer.from(`${type} ${String(content.length)}\0`), content]);
  return { id: createHash('sha1').update(bytes).digest('hex'), bytes };
}

/** Stores an object, unless it is there as a file of its own. */
export async function writeObject(gitDir: string, { id, bytes }: GitObject): Promise<void> {
  const folder = path.join(gitDir, 'objects', id.slice(0, 2));
  const file = path.join(folder, id.slice(2));
  if (await isThere(file)) return;
  const beside = path.join(folder, `tmp_obj_${randomUUID()}`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(beside, await promisify(deflate)(bytes, { level: 1 }), { mode: 0o400, flag: 'wx' });
    await rename(beside, file);
  } catch (error) {
    await rm(beside, { force: true });
    throw toWorkspaceError(error, 'write', file);
  }
}

async function isThere(file: string): Promise<boolean> {
  return await access(file).then(
    () => true,
    () => false,
  );
}
