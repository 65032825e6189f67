import { WorkspaceError } from '../../error.ts';
import type { OmissionReason } from '../checkpoint.ts';
import type { BytePath } from '../workspace-path.ts';
import type { ObjectReader } from './object-reader.ts';
import { blobObject, type GitObject, treeObject, writeObject } from './objects.ts';
import type { Outgrown } from './outgrown.ts';
import { isId } from './store.ts';

/** The content of a checkpoint. It is stored as a git tree; unchanged parts are shared between checkpoints. */
export interface CheckpointContent {
  /** The tree of all files. */
  readonly files: string;
  readonly permissions: Permissions;
  readonly omitted: ReadonlyMap<BytePath, OmissionReason>;
  /** Folders without covered files, at any depth, or with unusual permissions. */
  readonly folders: ReadonlyMap<BytePath, number>;
  /** What the rules ignored; whole folders end with a slash. */
  readonly ignored: readonly BytePath[];
  /** Files of earlier checkpoints that are still there, and not covered any more. */
  readonly uncovered: readonly BytePath[];
  /** Files that were covered before and have grown over the size limit. */
  readonly outgrown: ReadonlyMap<BytePath, Outgrown>;
}

/** The exact permissions of files. */
export interface Permissions {
  readonly usual: UsualPermissions;
  readonly others: ReadonlyMap<BytePath, number>;
}

/** Those that files, executable files and folders have unless noted. */
export interface UsualPermissions {
  readonly file: number;
  readonly executable: number;
  readonly folder: number;
}

/** Stores the parts that changed; returns the checkpoint's id. */
export async function writeContent(
  gitDir: string,
  content: CheckpointContent,
  known?: string,
): Promise<string> {
  const { files, permissions, omitted, folders, ignored, uncovered, outgrown } = content;
  const others = [...permissions.others].map(([name, bits]) => `${bits.toString(8)} ${name}`);
  const { file, executable, folder } = permissions.usual;
  const usual = [file, executable, folder].map((bits) => bits.toString(8));
  const parts: Readonly<Record<Part, GitObject>> = {
    folders: lines([...folders].map(([name, bits]) => `${bits.toString(8)} ${name}`)),
    ignored: lines(ignored),
    omitted: lines([...omitted].map(([name, why]) => `${why} ${name}`)),
    permissions: blobObject([usual.join(' '), ...others.toSorted(byText)].join('\0')),
    uncovered: lines(uncovered),
    outgrown: lines(
      [...outgrown].map(
        ([name, { blob, permissions: bits, stamp }]) => `${blob} ${bits.toString(8)} ${stamp} ${name}`,
      ),
    ),
  };
  const root = treeObject([
    { mode: '40000', name: 'files', id: files },
    ...Object.entries(parts).map(([name, { id }]) => ({ mode: '100644', name, id })),
  ]);
  if (root.id === known) return root.id;
  for (const part of Object.values(parts)) await writeObject(gitDir, part);
  await writeObject(gitDir, root);
  return root.id;
}

type Part = 'folders' | 'ignored' | 'omitted' | 'outgrown' | 'permissions' | 'uncovered';

/** @throws {WorkspaceError} `expired`: the store has no such checkpoint any more. */
export async function readContent(reader: ObjectReader, id: string): Promise<CheckpointContent> {
  const root = isId(id) ? await reader.read(id) : undefined;
  const ids = root === undefined ? new Map<string, string>() : parseTree(root);
  const readPart = async (name: Part): Promise<readonly string[]> => {
    const part = ids.get(name);
    const bytes = part === undefined ? undefined : await reader.read(part);
    if (bytes === undefined) throw expired(id);
    return bytes.length === 0 ? [] : bytes.toString('latin1').split('\0');
  };
  const files = ids.get('files');
  if (files === undefined) throw expired(id);
  const [usual = '', ...others] = await readPart('permissions');
  const [file = 0o644, executable = 0o755, folder = 0o755] = usual
    .split(' ')
    .map((bits) => Number.parseInt(bits, 8));
  return {
    files,
    permissions: {
      usual: { file, executable, folder },
      others: new Map(others.map((line) => [afterSpace(line), Number.parseInt(line, 8)])),
    },
    omitted: new Map((await readPart('omitted')).map((line) => [afterSpace(line), toReason(line)])),
    folders: new Map((await readPart('folders')).map((line) => [afterSpace(line), Number.parseInt(line, 8)])),
    ignored: await readPart('ignored'),
    uncovered: await readPart('uncovered'),
    // A checkpoint of an earlier version of Parley does not have it.
    outgrown: new Map(ids.has('outgrown') ? (await readPart('outgrown')).map(toOutgrown) : []),
  };
}

/** A checkpoint, or a file of one, that is no longer stored. */
export function expired(id: string): WorkspaceError {
  const message = `Could not read checkpoint ${id}: it is no longer stored. Old checkpoints are removed by age and size (changes.maxBytes).`;
  return new WorkspaceError('expired', message);
}

function lines(names: readonly string[]): GitObject {
  return blobObject(names.toSorted(byText).join('\0'));
}

function byText(left: string, right: string): number {
  return left < right ? -1 : 1;
}

function afterSpace(line: string): string {
  return line.slice(line.indexOf(' ') + 1);
}

function toOutgrown(line: string): readonly [BytePath, Outgrown] {
  const [blob = '', bits = '', stamp = ''] = line.split(' ', 3);
  const name = line.slice(blob.length + bits.length + stamp.length + 3);
  return [name, { blob, permissions: Number.parseInt(bits, 8), stamp }];
}

function toReason(line: string): OmissionReason {
  const word = line.slice(0, line.indexOf(' '));
  switch (word) {
    case 'too-large':
    case 'special':
    case 'repository':
    case 'late':
      return word;
    default:
      return 'unreadable';
  }
}

/** The names in a tree object, and their ids. */
function parseTree(bytes: Buffer): Map<string, string> {
  const entries = new Map<string, string>();
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(0, start);
    if (end === -1) break;
    const name = afterSpace(bytes.toString('latin1', start, end));
    entries.set(name, bytes.toString('hex', end + 1, end + 21));
    start = end + 21;
  }
  return entries;
}
