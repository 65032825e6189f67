import { Buffer } from 'node:buffer';
import { type BytePath, type WorkspacePath, toBytePath } from '../checkpoint/workspace-path.ts';
import { refusal } from '../error.ts';

/** A path by its bytes. @throws {WorkspaceError} `invalid-path`: it leads out of the workspace, or into git's own folder. */
export function toCheckedPath(path: WorkspacePath): BytePath {
  const raw = toBytePath(path);
  const isPlain = raw.split('/').every((name) => name !== '' && name !== '.' && name !== '..');
  if (!isPlain || raw.includes('\0')) throw refusal('restore', pathText(path), 'invalid-path', 'not a path');
  if (/(^|\/)\.git(\/|$)/iu.test(raw)) {
    throw refusal('restore', pathText(path), 'invalid-path', 'it is part of a git repository');
  }
  return raw;
}

/** A path for a message. */
export function pathText(path: WorkspacePath): string {
  return typeof path === 'string' ? path : Buffer.from(path.base64, 'base64').toString();
}

/** The folder that a path is in. */
export function parentOf(path: BytePath): BytePath {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** All folders above a path, the nearest first, without the workspace itself. */
export function foldersAbove(path: BytePath): readonly BytePath[] {
  const folders: BytePath[] = [];
  for (let folder = parentOf(path); folder !== ''; folder = parentOf(folder)) folders.push(folder);
  return folders;
}

/** The last name of a path. */
export function nameOf(path: BytePath): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Orders paths by their bytes. */
export function byPath(left: BytePath, right: BytePath): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
