import { Buffer, isUtf8 } from 'node:buffer';
import type { WorkspacePath } from '../checkpoint/workspace-path.ts';
import { refusal } from '../error.ts';

/**
 * A path as its bytes, one character for each, so that any name can be split, sorted and used as a key. The workspace
 * itself is the empty path.
 */
export type RawPath = string;

/** @throws {WorkspaceError} `invalid-path`: it leads out of the workspace, or into git's own folder. */
export function toRawPath(path: WorkspacePath): RawPath {
  const bytes = typeof path === 'string' ? Buffer.from(path) : Buffer.from(path.base64, 'base64');
  const raw = bytes.toString('latin1');
  const isPlain = raw.split('/').every((name) => name !== '' && name !== '.' && name !== '..');
  if (!isPlain || raw.includes('\0')) throw refusal('restore', pathText(path), 'invalid-path', 'not a path');
  if (/(^|\/)\.git(\/|$)/iu.test(raw)) {
    throw refusal('restore', pathText(path), 'invalid-path', 'it is part of a git repository');
  }
  return raw;
}

/** A path as its users see it. */
export function toWorkspacePath(raw: RawPath): WorkspacePath {
  const bytes = Buffer.from(raw, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : { base64: bytes.toString('base64') };
}

/** A path for a message. */
export function pathText(path: WorkspacePath): string {
  return typeof path === 'string' ? path : Buffer.from(path.base64, 'base64').toString();
}

/** The folder that a path is in. */
export function parentOf(path: RawPath): RawPath {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** All folders above a path, the nearest first, without the workspace itself. */
export function foldersAbove(path: RawPath): readonly RawPath[] {
  const folders: RawPath[] = [];
  for (let folder = parentOf(path); folder !== ''; folder = parentOf(folder)) folders.push(folder);
  return folders;
}

/** The last name of a path. */
export function nameOf(path: RawPath): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Orders paths by their bytes. */
export function byPath(left: RawPath, right: RawPath): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
