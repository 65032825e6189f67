import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { WorkspaceError, systemCode } from '../error.ts';
import { startTimeOf } from '../process/start-time.ts';
import { fileCounter, hasTokensOnly, socketCounter, tokenPrefix } from './placeholder-names.ts';

/** What is created at a protected path that does not exist. */
export type MountPoint =
  | { readonly kind: 'folder'; readonly path: string }
  /** A file of git in the folder of a repository. The content has no effect on git. */
  | { readonly kind: 'file'; readonly path: string; readonly content: '' | '.\n' }
  /** Neither file nor folder: git finds nothing in it, and shows and adds nothing. */
  | { readonly kind: 'socket'; readonly path: string };

/**
 * What a sandbox created in a workspace as mount points. Git does not show empty folders. Each has one empty folder per sandbox that uses it, so that
 * the last sandbox removes it: removing a mount point that is in use would end its protection.
 */
export interface Placeholders {
  /** Empty folders, in the order in which they are removed. */
  readonly folders: readonly string[];
  /** Files of git, removed with the folder that counts their users. */
  readonly files: readonly PlaceholderFiles[];
}

/** The files in the folder of one repository. */
export interface PlaceholderFiles {
  readonly counter: string;
  readonly files: readonly string[];
}

/** Files of git that can be missing in one folder: `config`, `commondir`, `config.worktree`, `gitdir`, `refs`, included ones. The watchdog counts on it. */
export const mostPlaceholderFiles = 8;

/** What a sandbox needs in a workspace and does not find there. */
export interface MissingMountPoints {
  /** Missing, or placeholders of other sandboxes. */
  readonly mountPoints: readonly MountPoint[];
  /** All that creating them may create. */
  readonly placeholders: Placeholders;
}

/** Looks up what a sandbox has to create, so that it can be listed before: Parley can be killed at any moment. */
export function findMissing(mountPoints: readonly MountPoint[], token: string): MissingMountPoints {
  const missing = mountPoints.filter((each) => !existsSync(each.path) || isPlaceholder(each));
  const folders = new Set<string>();
  const files = new Map<string, string[]>();
  for (const each of missing) {
    if (each.kind === 'folder') {
      for (const at of [draftOf(each.path, token), each.path]) folders.add(at).add(tokenIn(at, token));
      continue;
    }
    const counter = counterOf(each);
    folders.add(tokenIn(counter, token));
    const created = each.kind === 'socket' ? [draftOf(each.path, token), each.path] : [each.path];
    const names = [...(files.get(counter) ?? []), ...created];
    if (names.length > mostPlaceholderFiles) throw tooMany(each.path);
    files.set(counter, names);
  }
  return {
    mountPoints: missing,
    placeholders: {
      folders: [...folders].toReversed(),
      files: [...files].map(([counter, names]) => ({ counter, files: names })),
    },
  };
}

function tooMany(file: string): WorkspaceError {
  return new WorkspaceError(
    'not-started',
    `protect ${JSON.stringify(file)} in the sandbox: more than ${String(mostPlaceholderFiles)} files with settings of git are missing ` +
      'in its folder; remove "include.path" settings that name missing files',
    { path: file },
  );
}

/** Creates the placeholders, and joins the users of those that other sandboxes created. */
export async function createPlaceholders(missing: MissingMountPoints, token: string): Promise<void> {
  try {
    for (const each of missing.mountPoints) {
      if (each.kind === 'folder') await createFolder(each, token);
      else await createCounted(each, token);
    }
  } catch (error) {
    await removePlaceholders(missing.placeholders);
    throw new WorkspaceError(
      'not-started',
      `protect names that do not exist yet in the sandbox: ${String(error)}; where the folder cannot be written, use the sandbox mode read-only`,
      { cause: error },
    );
  }
}

/**
 * Removes placeholders that no other sandbox uses, and that are still empty. Many at once: Linux lets each removal of a folder wait for a moment,
 * and one after the other they cost more than all the rest of a sandbox.
 */
export async function removePlaceholders({ folders, files }: Placeholders): Promise<void> {
  for (const level of deepestFirst(folders)) await Promise.all(level.map((folder) => remove(folder)));
  await Promise.all(
    files.map(async ({ counter, files: names }) => {
      await remove(counter);
      // The process that removed the counter may have been killed before it removed the files. Another sandbox creates the counter first.
      for (const name of names) {
        if (!existsSync(counter) && isPlaceholderFile(name)) attempt(() => unlinkSync(name));
      }
    }),
  );
}

/** The folders by the length of their paths: none has another one of its group in it. */
function deepestFirst(folders: readonly string[]): readonly (readonly string[])[] {
  const levels = new Map<number, string[]>();
  for (const folder of folders) {
    const depth = folder.split(path.sep).length;
    const level = levels.get(depth);
    if (level === undefined) levels.set(depth, [folder]);
    else level.push(folder);
  }
  return [...levels].toSorted(([a], [b]) => b - a).map(([, level]) => level);
}

/** Removes an empty folder, if it is one. */
async function remove(folder: string): Promise<void> {
  await rmdir(folder).catch(() => undefined);
}

/** Whether a folder contains nothing but the tokens of sandboxes. */
export function isPlaceholderFolder(folder: string): boolean {
  try {
    return hasTokensOnly(readdirSync(folder));
  } catch {
    return false;
  }
}

/** Names this sandbox in the folders that it uses. */
export async function placeholderToken(): Promise<string> {
  sandboxes += 1;
  // Before the wait: other sandboxes are opened meanwhile.
  const number = sandboxes;
  const started = (await startTimeOf(process.pid)) ?? '0';
  return `${String(process.pid)}-${started}-${String(number)}`;
}

/** Makes tokens of one process differ. */
let sandboxes = 0;

/** Attempts to create a placeholder that other sandboxes remove at the same time. */
const attempts = 100;

/** Creates a folder with the token in it in one step, so that another sandbox never sees it without. */
async function createFolder(mountPoint: MountPoint, token: string): Promise<void> {
  const folder = mountPoint.path;
  const draft = draftOf(folder, token);
  for (let attempted = 0; attempted < attempts; attempted += 1) {
    if (!existsSync(folder)) {
      mkdirSync(draft);
      mkdirSync(tokenIn(draft, token));
      if (attempt(() => renameSync(draft, folder))) return;
      rmSync(draft, { recursive: true });
    }
    if (!isPlaceholder(mountPoint)) return;
    // The last sandbox that used it may have removed it meanwhile.
    if (attempt(() => mkdirSync(tokenIn(folder, token)), 'ENOENT')) return await removeStale(folder);
  }
  throw new Error(`create ${folder}: removed again ${String(attempts)} times`);
}

/** Creates a file or socket, whose users are counted in a folder beside it. */
async function createCounted(
  mountPoint: Exclude<MountPoint, { readonly kind: 'folder' }>,
  token: string,
): Promise<void> {
  const { path: file } = mountPoint;
  const counter = counterOf(mountPoint);
  mkdirSync(tokenIn(counter, token), { recursive: true });
  await removeStale(counter);
  if (mountPoint.kind === 'socket') return await createSocket(file, draftOf(file, token));
  attempt(() => writeFileSync(file, mountPoint.content, { flag: 'wx' }), 'EEXIST');
}

/** Leaves a socket on which nothing listens. Where the file system has none, an empty file, which git shows. */
async function createSocket(file: string, draft: string): Promise<void> {
  if (existsSync(file)) return;
  // The path of a socket can have about 100 bytes only.
  const folder = openSync(path.dirname(file), constants.O_DIRECTORY);
  const server = createServer();
  try {
    await once(server.listen(`/proc/self/fd/${String(folder)}/${path.basename(draft)}`), 'listening');
    // Not as a program: git would take it for a folder that it may enter.
    chmodSync(draft, 0o600);
    linkSync(draft, file);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return;
    attempt(() => writeFileSync(file, '', { flag: 'wx', mode: 0o600 }), 'EEXIST');
  } finally {
    // Removes the draft too.
    server.close();
    closeSync(folder);
  }
}

/** The folder that counts the users of a placeholder file. */
function counterOf({ kind, path: at }: MountPoint): string {
  return path.join(path.dirname(at), kind === 'socket' ? socketCounter : fileCounter);
}

function tokenIn(folder: string, token: string): string {
  return path.join(folder, `${tokenPrefix}${token}`);
}

/** Where a folder is before it has its name. */
function draftOf(folder: string, token: string): string {
  return path.join(path.dirname(folder), `${tokenPrefix}new-${token}`);
}

/** Whether other sandboxes created it. A file that is empty without any sandbox is the user's. */
function isPlaceholder(mountPoint: MountPoint): boolean {
  const { kind, path: at } = mountPoint;
  if (kind !== 'folder') return isPlaceholderFile(at) && existsSync(counterOf(mountPoint));
  try {
    return readdirSync(at).some((name) => name.startsWith(tokenPrefix));
  } catch {
    // Removed, or no folder.
    return false;
  }
}

/**
 * Removes the tokens of processes that were killed, and of which no list is left. Call this with a token of your own in the folder: without any, it
 * would be taken for the user's.
 */
async function removeStale(folder: string): Promise<void> {
  for (const name of readdirSync(folder)) {
    const [, pid, started] = /^\.parley-sandbox-(\d+)-(\d+)-\d+$/u.exec(name) ?? [];
    if (pid === undefined || (await startTimeOf(Number(pid))) === started) continue;
    attempt(() => rmdirSync(path.join(folder, name)));
  }
}

function isPlaceholderFile(file: string): boolean {
  try {
    if (lstatSync(file).isSocket()) return true;
    const content = readFileSync(file, 'utf8');
    return content === '' || content === '.\n';
  } catch {
    return false;
  }
}

/** Whether it succeeded. With a code, other failures are thrown. */
function attempt(act: () => void, code?: string): boolean {
  try {
    act();
    return true;
  } catch (error) {
    if (code !== undefined && systemCode(error) !== code) throw error;
    return false;
  }
}
