import { Buffer } from 'node:buffer';
import { chmod, lstat, mkdir, readFile, readdir, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import type { FileChange, FileEntry } from '../checkpoint/checkpoint.ts';
import { type BytePath, toWorkspacePath } from '../checkpoint/workspace-path.ts';
import { blobId } from './blob-id.ts';
import { byPath, parentOf } from './byte-path.ts';

/** A file, a link or a folder of a tree. */
export type Node =
  | { readonly kind: 'file'; readonly content: Buffer; readonly permissions: number }
  | { readonly kind: 'link'; readonly content: Buffer }
  | { readonly kind: 'folder'; readonly permissions: number };

/** All that is below a folder, by path. */
export type Tree = ReadonlyMap<BytePath, Node>;

export function file(content: string | Buffer, permissions = 0o644): Node {
  return { kind: 'file', content: Buffer.from(content), permissions };
}

export function link(target: string): Node {
  return { kind: 'link', content: Buffer.from(target) };
}

/** Files and links by path; folders are made as needed. */
export function tree(nodes: Readonly<Record<BytePath, Node>>): Tree {
  return new Map(Object.entries(nodes));
}

/** Makes a folder contain exactly these files. */
export async function writeTree(root: string, nodes: Tree): Promise<void> {
  for (const name of await readdir(root, { encoding: 'buffer' })) {
    const at = Buffer.concat([Buffer.from(`${root}/`), name]);
    if (name.toString() !== '.git') await rm(at, { recursive: true, force: true });
  }
  for (const [name, node] of [...nodes].toSorted(([left], [right]) => byPath(left, right))) {
    const at = Buffer.concat([Buffer.from(`${root}/`), Buffer.from(name, 'latin1')]);
    const parent = Buffer.concat([Buffer.from(`${root}/`), Buffer.from(parentOf(name), 'latin1')]);
    await mkdir(node.kind === 'folder' ? at : parent, { recursive: true });
    if (node.kind === 'link') await symlink(node.content, at);
    if (node.kind === 'file') await writeFile(at, node.content);
    if (node.kind !== 'link') await chmod(at, node.permissions);
  }
}

/** Reads all that is below a folder, without its `.git`. */
export async function readTree(root: string): Promise<Tree> {
  const nodes = new Map<BytePath, Node>();
  const open: BytePath[] = [''];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const at = Buffer.concat([Buffer.from(`${root}/`), Buffer.from(folder, 'latin1')]);
    for (const bytes of await readdir(at, { encoding: 'buffer' })) {
      const name = bytes.toString('latin1');
      if (folder === '' && name === '.git') continue;
      const member = folder === '' ? name : `${folder}/${name}`;
      const memberAt = Buffer.concat([Buffer.from(`${root}/`), Buffer.from(member, 'latin1')]);
      const status = await lstat(memberAt);
      const permissions = status.mode & 0o7777;
      if (status.isDirectory()) {
        nodes.set(member, { kind: 'folder', permissions });
        open.push(member);
      } else if (status.isSymbolicLink()) {
        nodes.set(member, { kind: 'link', content: await readlink(memberAt, { encoding: 'buffer' }) });
      } else nodes.set(member, { kind: 'file', content: await readFile(memberAt), permissions });
    }
  }
  return new Map([...nodes].toSorted(([left], [right]) => byPath(left, right)));
}

/** A tree as a test compares it. */
export function shown(nodes: Tree): Record<string, string> {
  const entries = [...nodes].map(([name, node]) => {
    const rights = node.kind === 'link' ? '' : node.permissions.toString(8);
    const content = node.kind === 'folder' ? '' : node.content.toString('latin1');
    return [name, `${node.kind} ${rights} ${content}`] as const;
  });
  return Object.fromEntries(entries.toSorted(([left], [right]) => byPath(left, right)));
}

/** The differences between two trees, without renames, and a function that reads their contents. */
export function changesBetween(
  before: Tree,
  after: Tree,
): {
  readonly changes: readonly FileChange[];
  readonly read: (blob: string) => Promise<Uint8Array>;
  readonly folderBefore: (name: FileChange['path']) => number | undefined;
} {
  const contents = new Map<string, Buffer>();
  for (const node of [...before.values(), ...after.values()]) {
    if (node.kind !== 'folder') contents.set(blobId(node.content), node.content);
  }
  const paths = [...new Set([...before.keys(), ...after.keys()])].toSorted(byPath);
  const changes = paths.flatMap((name): FileChange[] => {
    const [old, now] = [toEntry(before.get(name)), toEntry(after.get(name))];
    if (JSON.stringify(old) === JSON.stringify(now)) return [];
    return [
      {
        path: toWorkspacePath(name),
        status:
          old === undefined
            ? 'added'
            : now === undefined
              ? 'deleted'
              : old.blob === now.blob
                ? 'mode'
                : 'modified',
        additions: 0,
        deletions: 0,
        binary: false,
        ...(old !== undefined && { before: old }),
        ...(now !== undefined && { after: now }),
      },
    ];
  });
  return {
    changes,
    read: async (blob) => contents.get(blob) ?? Promise.reject(new Error(`no blob ${blob}`)),
    folderBefore: (name) => {
      const raw =
        typeof name === 'string'
          ? Buffer.from(name).toString('latin1')
          : Buffer.from(name.base64, 'base64').toString('latin1');
      const node = before.get(raw);
      return node?.kind === 'folder' ? node.permissions : undefined;
    },
  };
}

function toEntry(node: Node | undefined): FileEntry | undefined {
  if (node === undefined || node.kind === 'folder') return undefined;
  const blob = blobId(node.content);
  if (node.kind === 'link') return { mode: '120000', permissions: 0o777, blob };
  const { permissions } = node;
  return { mode: (permissions & 0o100) === 0 ? '100644' : '100755', permissions, blob };
}
