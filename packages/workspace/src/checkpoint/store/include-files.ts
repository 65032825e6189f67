import { randomUUID } from 'node:crypto';
import { type BigIntStats, constants } from 'node:fs';
import { open, readlink, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { refusal } from '../../error.ts';
import { nameOf, parentOf, pathText } from '../../restore/byte-path.ts';
import { openFolder, openWorkspace, statusOf } from '../../restore/open-folder.ts';
import type { FileMode } from '../checkpoint.ts';
import { readEntries } from '../entries.ts';
import type { Git } from '../git.ts';
import { pauses } from '../walk/pauses.ts';
import { type BytePath, toBytePath, toWorkspacePath } from '../workspace-path.ts';
import type { CheckpointContent } from './content.ts';

/** Which files are included. */
export interface IncludeRequest {
  readonly git: Git;
  readonly gitDir: string;
  readonly workspace: string;
  readonly names: readonly BytePath[];
  readonly mostBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/** Adds files to a checkpoint that it does not cover: ignored files, and files over the size limit. */
export async function includeFiles(
  content: CheckpointContent,
  { git, gitDir, workspace, names, mostBytes, signal }: IncludeRequest,
): Promise<CheckpointContent> {
  const covered = await readEntries({ git, gitDir }, content, names);
  const known = new Set(covered.map((entry) => toBytePath(entry.path)));
  const others = names.filter((name) => !known.has(name));
  if (others.length === 0) return content;
  const included = new Map<BytePath, IncludedFile>();
  const opened = await openWorkspace(workspace);
  const pause = pauses(signal);
  for (const name of others) {
    // A link on the way to it may be in place of a folder: behind it are other files.
    await pause();
    const folder = openFolder(opened, parentOf(name));
    if (folder.kind !== 'folder') continue;
    using held = folder;
    const file = await store(held.at(nameOf(name)), { git, gitDir, name, mostBytes, signal });
    if (file !== undefined) included.set(name, file);
  }
  const looked = new Set(others);
  const isListed = [...content.omitted.keys(), ...content.uncovered].some((name) => looked.has(name));
  if (included.size === 0 && !isListed) return content;
  const index = path.join(gitDir, 'indexes', randomUUID());
  const run = { gitDir, cwd: gitDir, index, signal };
  try {
    await git.run(['read-tree', content.files], run);
    const input = [...included].map(([name, { mode, blob }]) => `${mode} ${blob}\t${name}\0`).join('');
    await git.run(['update-index', '--replace', '-z', '--index-info'], { ...run, input });
    const files = (await git.run(['write-tree', '--missing-ok'], run)).trim();
    // A path at which nothing is counts as covered, too: it was deleted.
    const isLeftOut = (name: BytePath): boolean => !looked.has(name);
    return {
      ...content,
      files,
      permissions: {
        ...content.permissions,
        others: new Map([
          ...content.permissions.others,
          ...[...included].flatMap(([name, { mode, permissions }]) =>
            mode === '120000' ? [] : [[name, permissions] as const],
          ),
        ]),
      },
      omitted: new Map([...content.omitted].filter(([name]) => isLeftOut(name))),
      ignored: content.ignored.filter(isLeftOut),
      uncovered: content.uncovered.filter(isLeftOut),
      outgrown: new Map([...content.outgrown].filter(([name]) => isLeftOut(name))),
    };
  } finally {
    await rm(index, { force: true });
  }
}

interface IncludedFile {
  readonly mode: FileMode;
  readonly blob: string;
  readonly permissions: number;
}

type StoreRequest = Pick<IncludeRequest, 'git' | 'gitDir' | 'mostBytes' | 'signal'> & {
  readonly name: BytePath;
};

/** Stores a content; undefined where there is no file or link. */
async function store(at: Buffer, request: StoreRequest): Promise<IncludedFile | undefined> {
  const stats = statusOf(at);
  if (stats?.isSymbolicLink() === true) {
    const target = await readlink(at, { encoding: 'buffer' });
    const blob = await hashObject(request, target.toString('latin1'));
    return { mode: '120000', blob, permissions: 0o777 };
  }
  return stats?.isFile() === true ? await storeFile(at, stats, request) : undefined;
}

async function storeFile(
  at: Buffer,
  { size, mode }: BigIntStats,
  request: StoreRequest,
): Promise<IncludedFile> {
  const { name, mostBytes, signal } = request;
  const shown = pathText(toWorkspacePath(name));
  if (size > BigInt(mostBytes)) {
    throw refusal('store', shown, 'too-large', `it has more than ${String(mostBytes)} bytes`);
  }
  await using handle = await open(at, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const blob = await hashObject(request, async (stdin) => {
    await pipeline(handle.createReadStream({ autoClose: false }), stdin, { signal });
  });
  const permissions = Number(mode & 0o7777n);
  return { mode: (permissions & 0o100) === 0 ? '100644' : '100755', blob, permissions };
}

async function hashObject(
  { git, gitDir, signal }: StoreRequest,
  input: Parameters<Git['run']>[1]['input'] & {},
): Promise<string> {
  return (await git.run(['hash-object', '-w', '--stdin'], { gitDir, cwd: gitDir, input, signal })).trim();
}
