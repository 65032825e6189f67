import type { FileEntry } from '../checkpoint/checkpoint.ts';
import type { Found } from './look.ts';

/** Why a path cannot be restored without losing a later change. */
export type ConflictReason =
  /** The same lines were changed later. */
  | 'content'
  /** The file was changed later, and is not text. */
  | 'binary'
  /** The file was changed later, and is too large to be merged. */
  | 'too-large'
  | 'permissions'
  /** The kind of the path changed later. */
  | 'kind'
  /** The path was deleted later. */
  | 'deleted'
  /** The path was created later. */
  | 'exists'
  /** A parent folder is now a file or a link. */
  | 'blocked'
  /** A folder at the path contains files that are not part of the change. */
  | 'not-empty'
  /** The path is now a socket, a device or a FIFO. */
  | 'special'
  /** The path may have existed before, but was not covered, so its content is unknown. */
  | 'uncovered';

/** How to restore a path. */
export type Decision =
  | { readonly kind: 'nothing' }
  /** Becomes as before; absent where it was absent. */
  | { readonly kind: 'restore' }
  /** Takes one of these contents, or one merged from both, with these rights. */
  | { readonly kind: 'change'; readonly content: 'before' | 'now' | 'merged'; readonly permissions: number }
  /** `content`: the content to write with `--force`, with these rights; absent if `--force` changes nothing either. */
  | { readonly kind: 'conflict'; readonly why: ConflictReason; readonly canForce: boolean };

/** Decides how to restore a path that a turn changed from `before` to `after`, given its current state. */
export function decide(
  before: FileEntry | undefined,
  after: FileEntry | undefined,
  now: Found,
  force: boolean,
): Decision {
  if (isAs(before, now)) return { kind: 'nothing' };
  if (isAs(after, now)) return { kind: 'restore' };
  switch (now.kind) {
    case 'absent':
      return conflict('deleted', true);
    case 'special':
      return conflict('special', false);
    case 'blocked':
      return conflict('blocked', false);
    case 'folder':
      return conflict('kind', before !== undefined);
    case 'link':
      return conflict(after === undefined ? 'exists' : 'kind', true);
    case 'file':
  }
  if (after === undefined) return conflict('exists', true);
  // The turn created it, and it was changed since.
  if (before === undefined) return conflict('content', true);
  if (isLink(before) || isLink(after)) return conflict('kind', true);
  const permissions = mergeValues(before.permissions, after.permissions, now.permissions);
  if (permissions === undefined && !force) return conflict('permissions', true);
  const blob = mergeValues(before.blob, after.blob, now.blob);
  const content = blob === before.blob ? 'before' : blob === now.blob ? 'now' : 'merged';
  return { kind: 'change', content, permissions: permissions ?? before.permissions };
}

/** Whether an entry is a symbolic link. */
export function isLink(entry: FileEntry): boolean {
  return entry.mode === '120000';
}

/** Whether a path equals an entry. A folder at the path, or a missing folder above it, counts as absent. */
function isAs(entry: FileEntry | undefined, now: Found): boolean {
  if (entry === undefined) return now.kind === 'absent' || now.kind === 'folder' || now.kind === 'blocked';
  if (now.kind === 'link') return isLink(entry) && now.blob === entry.blob;
  if (now.kind !== 'file') return false;
  return !isLink(entry) && now.blob === entry.blob && now.permissions === entry.permissions;
}

/** The value that one side changed, or both to the same; undefined where both changed it to different ones. */
function mergeValues<T>(before: T, after: T, now: T): T | undefined {
  if (now === after) return before;
  return before === after || now === before ? now : undefined;
}

function conflict(why: ConflictReason, canForce: boolean): Decision {
  return { kind: 'conflict', why, canForce };
}
