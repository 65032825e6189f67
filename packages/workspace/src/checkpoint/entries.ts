import type { CheckpointFile, CheckpointFolder, FileEntry, FileMode } from './checkpoint.ts';
import type { Git } from './git.ts';
import type { CheckpointContent, Permissions } from './store/content.ts';
import { list } from './walk/walk.ts';
import { type BytePath, toWorkspacePath } from './workspace-path.ts';

/** The files of a checkpoint, or those at and below these paths. */
export async function readEntries(
  { git, gitDir }: { readonly git: Git; readonly gitDir: string },
  { files, permissions }: CheckpointContent,
  paths?: readonly BytePath[],
): Promise<readonly CheckpointFile[]> {
  if (paths?.length === 0) return [];
  const isWhole = paths === undefined || paths.some((name) => name === '' || name === '.');
  const names = isWhole ? [] : paths.map(toWorkspacePath).filter((name) => typeof name === 'string');
  // Bytes that are no text cannot be arguments; many paths are more than a command line holds, and git takes long to match them.
  const areArguments = names.length === paths?.length && names.length <= mostPathspecs;
  const args = [
    '--literal-pathspecs',
    'ls-tree',
    '-r',
    '-z',
    files,
    ...(areArguments ? ['--', ...names] : []),
  ];
  const wanted = isWhole || areArguments ? undefined : new Set(paths);
  const found = await list(git, args, { gitDir, cwd: gitDir });
  return found.flatMap((line) => {
    const tab = line.indexOf('\t');
    const [mode = '', , blob = ''] = line.slice(0, tab).split(' ');
    const name = line.slice(tab + 1);
    if (!isFileMode(mode) || (wanted !== undefined && !isWanted(name, wanted))) return [];
    return [{ path: toWorkspacePath(name), ...toEntry({ mode, blob, name }, permissions) }];
  });
}

/** All folders of a checkpoint. */
export async function readFolders(
  { git, gitDir }: { readonly git: Git; readonly gitDir: string },
  { files, folders, permissions }: CheckpointContent,
): Promise<readonly CheckpointFolder[]> {
  const args = ['ls-tree', '-r', '-d', '-z', '--name-only', files];
  const names = new Set([...(await list(git, args, { gitDir, cwd: gitDir })), ...folders.keys()]);
  return [...names].map((name) => ({
    path: toWorkspacePath(name),
    permissions: folders.get(name) ?? permissions.usual.folder,
  }));
}

/** Paths that git receives by name. */
const mostPathspecs = 50;

/** A file of a tree, with its exact permissions. */
export function toEntry(
  { mode, blob, name }: { readonly mode: FileMode; readonly blob: string; readonly name: BytePath },
  permissions: Permissions,
): FileEntry {
  return { mode, permissions: permissionsOf(name, mode, permissions), blob };
}

export function isFileMode(mode: string): mode is FileMode {
  return mode === '100644' || mode === '100755' || mode === '120000';
}

function permissionsOf(name: BytePath, mode: FileMode, { usual, others }: Permissions): number {
  if (mode === '120000') return 0o777;
  return others.get(name) ?? (mode === '100755' ? usual.executable : usual.file);
}

/** Whether a path or one of its parent folders is requested. */
function isWanted(name: BytePath, wanted: ReadonlySet<BytePath>): boolean {
  for (let end = name.length; end > 0; end = name.lastIndexOf('/', end - 1)) {
    if (wanted.has(name.slice(0, end))) return true;
  }
  return false;
}
