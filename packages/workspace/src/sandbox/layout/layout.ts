import { lstat, mkdir, realpath } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { WorkspaceError } from '../../error.ts';
import { isBelow } from '../../files/confinement/roots.ts';
import type { MountPoint } from '../placeholders.ts';
import type { SandboxPlan } from '../plan.ts';
import { type Access, type AccessMap, accessTo, isVisible } from './access.ts';
import { listeningSockets, socketFolders } from './listening-sockets.ts';
import { otherPathsOf } from './other-paths.ts';
import { findProtections } from './protect.ts';
import { hiddenHomeNames } from './protected-names.ts';

/** A plan applied to this machine: all paths are real. */
export interface Layout {
  readonly accesses: AccessMap;
  /** Paths with a mount of their own, so that they cannot be moved or replaced. */
  readonly pinned: ReadonlySet<string>;
  readonly protectedPaths: readonly string[];
  /** Mounts in folders that agents write to. */
  readonly mounted: readonly string[];
  readonly mountPoints: readonly MountPoint[];
  readonly homes: readonly string[];
  /** Folders that become repositories if the agent creates certain files, which cannot be prevented. */
  readonly convertible: readonly string[];
}

/** Applies a plan to this machine; `scratch` is hidden too. Rejects with `not-started` if the plan contradicts itself or cannot be held. */
export async function createLayout(plan: SandboxPlan, scratch: string): Promise<Layout> {
  const homes = await realPaths([process.env['HOME'] ?? '', os.homedir(), os.userInfo().homedir]);
  const folders = await requireFolders(plan.folders);
  const stateDirs = await createFolders(plan.stateDirs);
  const others = plan.mode === 'workspace' ? await realPaths(plan.write) : [];
  const keys = await realPaths(homes.flatMap((home) => hiddenHomeNames.map((name) => path.join(home, name))));
  const read = plan.read === 'all' ? [] : await realPaths(plan.read);
  refuseContradictions([...folders, ...stateDirs, ...others, ...read], keys);

  const isWorkspace = plan.mode === 'workspace';
  const protections = isWorkspace
    ? await findProtections({ folders: [...folders, ...(await foldersBeside(folders, others))], homes })
    : noProtections;
  const accesses = new Map<string, Access>([['/', plan.read === 'all' ? 'read' : 'empty']]);
  const set = (paths: readonly string[], access: Access): void => {
    for (const each of paths) accesses.set(each, access);
  };
  if (plan.read !== 'all') set(await realPaths(systemFolders), 'read');
  set(['/dev'], 'dev');
  set(['/proc'], 'proc');
  set(await realPaths(['/run', '/var/run', process.env['XDG_RUNTIME_DIR'] ?? '']), 'empty');
  set(await realPaths(['/tmp', '/var/tmp']), 'temporary');
  // Sandboxes have their files and sockets there.
  const [temporary = '/tmp'] = await realPaths([os.tmpdir()]);
  refuseAsTemporary(temporary, [...folders, ...others, ...stateDirs, ...homes, '/']);
  if (isVisible(accessTo(temporary, accesses))) accesses.set(temporary, 'temporary');
  if (plan.read === 'all') {
    const programs = ['/run/current-system', '/run/opengl-driver'];
    set([...(await realPaths(programs)), ...homes.filter((home) => home !== '/')], 'read');
  }
  set(read, 'read');
  await hide([...keys, ...(await realPaths([...plan.ownState, ...plan.hide]))], accesses);
  set(await realPaths(socketFolders(homes)), 'empty');
  set(await realPaths(await listeningSockets()), 'nothing');
  refuseHidden([...folders, ...stateDirs], accesses);
  set(folders, isWorkspace ? 'write' : 'read');
  const written = [...folders, ...others, ...stateDirs, ...protections.outside];
  set(written.slice(folders.length), 'write');
  set(protections.pinned, 'write');
  const hidden = [...accesses.keys()].filter((at) => !isVisible(accessTo(at, accesses)));
  const above = hidden.flatMap((at) => writableAbove(at, accesses));
  set(above, 'write');
  set(
    protections.readOnly.filter((file) => isVisible(accesses.get(file) ?? 'read')),
    'read',
  );
  if (isVisible(accessTo(scratch, accesses))) accesses.set(scratch, 'empty');
  const searched = (process.env['PATH'] ?? '').split(path.delimiter);
  for (const each of await realPaths([
    process.execPath,
    ...plan.program,
    ...searched,
    ...protections.repositories,
  ])) {
    if (!isVisible(accessTo(each, accesses)) && !accesses.has(each)) accesses.set(each, 'read');
  }
  return {
    accesses,
    pinned: new Set([...protections.pinned, ...protections.readOnly, ...above]),
    protectedPaths: protections.readOnly,
    mounted: [...accesses]
      .filter(([at, access]) => isVisible(access) && written.some((folder) => isBelow(folder, at)))
      .map(([at]) => at),
    mountPoints: protections.mountPoints,
    homes,
    convertible: protections.convertible,
  };
}

/**
 * Protects further paths in folders that agents write to. An agent that removes what counts the users of a file makes the end of its own sandbox
 * remove that file, and with it the mount that protects another sandbox in the same folder.
 */
export function withReadOnly(layout: Layout, paths: readonly string[]): Layout {
  return {
    ...layout,
    accesses: new Map([...layout.accesses, ...paths.map((each) => [each, 'read'] as const)]),
    pinned: new Set([...layout.pinned, ...paths]),
    protectedPaths: [...layout.protectedPaths, ...paths],
    mounted: [...layout.mounted, ...paths],
  };
}

const noProtections = {
  readOnly: [],
  pinned: [],
  mountPoints: [],
  outside: [],
  repositories: [],
  convertible: [],
} as const;

/** What programs need to start, where not everything can be read. */
const systemFolders: readonly string[] =
  '/usr /bin /sbin /lib /lib32 /lib64 /libx32 /etc /sys /nix/store /gnu/store /opt /run/current-system'.split(
    ' ',
  );

/** Hides existing files and folders, by all their paths. */
async function hide(paths: readonly string[], accesses: Map<string, Access>): Promise<void> {
  for (const each of [...paths, ...(await otherPathsOf(paths))]) {
    const isFolder = (await lstat(each)).isDirectory();
    accesses.set(each, isFolder ? 'empty' : 'nothing');
  }
}

/** Writable folders with a hidden path inside: moved, they would take it to where the next sandbox does not hide it. */
function writableAbove(hidden: string, accesses: AccessMap): readonly string[] {
  const above: string[] = [];
  for (let at = path.dirname(hidden); at !== '/'; at = path.dirname(at)) {
    if (accessTo(at, accesses) !== 'write') break;
    above.push(at);
  }
  return above;
}

/** The folders among other paths, without those that are searched anyway. */
async function foldersBeside(
  folders: readonly string[],
  others: readonly string[],
): Promise<readonly string[]> {
  const isFolder = await Promise.all(others.map(async (each) => (await lstat(each)).isDirectory()));
  const beside = others.filter(
    (each, index) => isFolder[index] && !folders.some((folder) => isBelow(folder, each)),
  );
  return beside.filter((each) => !beside.some((other) => other !== each && isBelow(other, each)));
}

/** Real paths of those that exist. */
async function realPaths(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    paths.filter((each) => path.isAbsolute(each)).map((each) => realpath(each).catch(() => undefined)),
  );
  return [...new Set(found)].filter((each) => each !== undefined);
}

async function requireFolders(paths: readonly string[]): Promise<readonly string[]> {
  return await Promise.all(
    paths.map(async (each) => {
      const real = await realpath(each).catch(() => undefined);
      if (real === undefined) throw refused(each, 'the folder does not exist');
      if (real === '/') {
        throw refused(each, 'a session in the root folder cannot be held; use a folder below it');
      }
      return real;
    }),
  );
}

async function createFolders(paths: readonly string[]): Promise<readonly string[]> {
  return await Promise.all(
    paths.map(async (each) => {
      const real = await realpath(each).catch(() => undefined);
      if (real !== undefined) return real;
      await mkdir(each, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
        throw refused(each, 'the folder for the state of the agent cannot be created', error);
      });
      return await realpath(each);
    }),
  );
}

function refuseContradictions(paths: readonly string[], keys: readonly string[]): void {
  for (const each of paths) {
    const key = keys.find((hidden) => isBelow(hidden, each));
    if (key !== undefined) {
      throw refused(each, `it is in ${JSON.stringify(key)}, which a sandbox always hides`);
    }
  }
}

/** What is replaced as a whole cannot be written or read as before. */
function refuseAsTemporary(temporary: string, folders: readonly string[]): void {
  if (!folders.includes(temporary)) return;
  const reason =
    'it is also the folder for temporary files, which a sandbox hides; set TMPDIR to another folder';
  throw refused(temporary, reason);
}

function refuseHidden(paths: readonly string[], accesses: AccessMap): void {
  for (const each of paths) {
    const access = accesses.get(each);
    if (access === 'empty' || access === 'nothing') {
      throw refused(each, 'it is also in the list of hidden paths');
    }
  }
}

function refused(folder: string, reason: string, cause?: unknown): WorkspaceError {
  const message = `hold ${JSON.stringify(folder)} in a sandbox: ${reason}`;
  return new WorkspaceError('not-started', message, { path: folder, cause });
}
