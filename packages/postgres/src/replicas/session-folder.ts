import path from 'node:path';
import type { ReplicaWorkspace } from '@parley/host';

/** Where the folder of a session is, so that other machines find it. */
export interface SessionFolder {
  /** The name of its workspace, or the machine that has it. @default the session was copied from elsewhere: any machine with that path */
  readonly workspace?: { readonly name: string } | { readonly host: string };
  /** Below a named workspace: the path from there; else an absolute path. */
  readonly folder: string;
}

/** The folders of one machine. */
export interface MachineFolders {
  readonly host: string;
  readonly workspaces: readonly ReplicaWorkspace[];
}

/** How a folder of this machine is stored with a session. */
export function toSessionFolder(cwd: string, { host, workspaces }: MachineFolders): SessionFolder {
  const [closest] = workspaces
    .flatMap(({ name, folder }) => {
      const below = pathBelow(folder, cwd);
      return name === undefined || below === undefined ? [] : [{ name, below }];
    })
    .toSorted((left, right) => left.below.length - right.below.length);
  if (closest === undefined) return { workspace: { host }, folder: cwd };
  return { workspace: { name: closest.name }, folder: closest.below };
}

/** The folder of a session on a machine; undefined where that machine does not have it. */
export function folderOn(
  { host, workspaces }: MachineFolders,
  { workspace, folder }: SessionFolder,
): string | undefined {
  if (workspace !== undefined && 'name' in workspace) {
    const shared = workspaces.find(({ name }) => name === workspace.name);
    return shared === undefined ? undefined : path.join(shared.folder, folder);
  }
  if (workspace !== undefined && workspace.host !== host) return undefined;
  const isThere = workspaces.some((other) => pathBelow(other.folder, folder) !== undefined);
  return isThere ? folder : undefined;
}

/** A folder for messages. */
export function folderName({ workspace, folder }: SessionFolder): string {
  if (workspace === undefined) return folder;
  return 'name' in workspace ? path.join(workspace.name, folder) : `${folder} on ${workspace.host}`;
}

/** In one column: a name cannot begin with a colon. */
export function toColumn({ workspace }: SessionFolder): string | null {
  if (workspace === undefined) return null;
  return 'name' in workspace ? workspace.name : `:${workspace.host}`;
}

/** The reverse of {@link toColumn}. */
export function fromColumn(column: unknown, folder: string): SessionFolder {
  if (typeof column !== 'string') return { folder };
  return { workspace: column.startsWith(':') ? { host: column.slice(1) } : { name: column }, folder };
}

function pathBelow(folder: string, inner: string): string | undefined {
  const below = path.relative(folder, inner);
  const isOutside = below === '..' || below.startsWith(`..${path.sep}`) || path.isAbsolute(below);
  return isOutside ? undefined : below;
}
