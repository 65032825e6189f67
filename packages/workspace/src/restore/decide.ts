import type { FileEntry } from '../checkpoint/checkpoint.ts';
import type { Found } from './look.ts';

/** Why a path cannot be restored without losing a later change. */
export type ConflictReason =
  /** The same lines were changed again. */
  | 'content'
  /** It was changed again, and is not text. */
  | 'binary'
  /** It was changed again, and is too large to be merged. */
  | 'too-large'
  | 'permissions'
  /** It is of another kind now. */
  | 'kind'
  /** It was deleted since. */
  | 'deleted'
  /** It was created anew since. */
  | 'exists'
  /** A folder on the way to it is a file or a link now. */
  | 'blocked'
  /** A folder in its way holds files that are not part of the change. */
  | 'not-empty'
  /** A socket, a device or a FIFO is there now. */
  | 'special'
  /** It may have been there before, but was not covered: what it was is not known. */
  | 'uncovered';

/** How a path becomes what it was. */
export type Decision =
  | { readonly kind: 'nothing' }
  /** Becomes as before; absent where it was absent. */
  | { readonly kind: 'restore' }
  /** Takes one of these contents, or one merged from both, with these rights. */
  | { readonly kind: 'change'; readonly content: 'before' | 'now' | 'merged'; readonly permissions: number }
  /** `content`: what force takes with these rights; absent where force changes nothing either. */
  | { readonly kind: 'conflict'; readonly why: ConflictReason; readonly canForce: boolean };

/** Decides how a path that a turn changed from `before` to `after` becomes as before, given what is there now. */
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

/** Whether a path is what an entry says. A folder, or nothing on the way, is no file: as if absent. */
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
