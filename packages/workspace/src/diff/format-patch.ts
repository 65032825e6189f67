import { Buffer } from 'node:buffer';
import type { FileEntry } from '../checkpoint/checkpoint.ts';
import type { BytePath } from '../checkpoint/workspace-path.ts';
import { WorkspaceError } from '../error.ts';
import { toCheckedPath } from '../restore/byte-path.ts';
import type { ReadBlob } from '../restore/contents.ts';
import { isLink } from '../restore/decide.ts';
import { findCheckout, prefixOf } from '../worktree/checkout.ts';
import { type ContentDiff, type ContentPair, diffContents } from './content-diff.ts';
import type { ChangedFile, DiffOptions } from './diff-files.ts';

/** Options of a patch. */
export interface PatchOptions extends DiffOptions {
  /** The folder that the paths are relative to. In a working tree, git takes the names of a patch from its top. */
  readonly workspace: string;
}

/** Formats changes as a patch for `git apply`, including binary files, modes, links, renames and any file names. */
export async function formatPatch(
  changes: readonly ChangedFile[],
  { workspace, read, signal }: PatchOptions,
): Promise<Uint8Array> {
  const prefix = await prefixIn(workspace);
  const parts = changes.flatMap((change) => toParts(change, prefix));
  const diffs = await diffContents(pairsOf(parts, read), {
    binary: true,
    ...(signal !== undefined && { signal }),
  });
  return Buffer.concat(parts.flatMap((part, index) => formatPart(part, diffs[index])));
}

/** One file of a patch; without `before` it is created, without `after` deleted. */
interface Part {
  readonly oldPath: BytePath;
  readonly path: BytePath;
  readonly before: FileEntry | undefined;
  readonly after: FileEntry | undefined;
}

async function prefixIn(workspace: string): Promise<BytePath> {
  try {
    return prefixOf(await findCheckout(workspace));
  } catch (error) {
    // In no working tree, or no longer there.
    if (error instanceof WorkspaceError) return '';
    throw error;
  }
}

/** git applies no change of kind, and no renamed link: those are deleted and created. */
function toParts({ path: newPath, oldPath, before, after }: ChangedFile, prefix: BytePath): readonly Part[] {
  const path = `${prefix}${toCheckedPath(newPath)}`;
  const from = oldPath === undefined ? path : `${prefix}${toCheckedPath(oldPath)}`;
  if (before === undefined || after === undefined) {
    return before === after ? [] : [{ oldPath: from, path, before, after }];
  }
  const isOther = isLink(before) !== isLink(after) || (isLink(before) && from !== path);
  if (isOther) {
    return [
      { oldPath: from, path: from, before, after: undefined },
      { oldPath: path, path, before: undefined, after },
    ];
  }
  // Of the rights, git knows only whether a file is executable.
  const isSame = from === path && before.blob === after.blob && before.mode === after.mode;
  return isSame ? [] : [{ oldPath: from, path, before, after }];
}

async function* pairsOf(parts: readonly Part[], read: ReadBlob): AsyncGenerator<ContentPair, void> {
  for (const { before, after } of parts) {
    yield before?.blob === after?.blob
      ? { before: undefined, after: undefined }
      : {
          before: before === undefined ? undefined : await read(before.blob),
          after: after === undefined ? undefined : await read(after.blob),
        };
  }
}

function formatPart(
  { oldPath, path, before, after }: Part,
  diff: ContentDiff | undefined,
): readonly Buffer[] {
  const [old, now] = [quoteName(`a/${oldPath}`), quoteName(`b/${path}`)];
  const isRenamed = oldPath !== path;
  const header = [`diff --git ${old} ${now}`];
  if (before === undefined) header.push(`new file mode ${after?.mode ?? ''}`);
  else if (after === undefined) header.push(`deleted file mode ${before.mode}`);
  else if (before.mode !== after.mode) header.push(`old mode ${before.mode}`, `new mode ${after.mode}`);
  if (isRenamed) {
    if (before?.blob === after?.blob) header.push('similarity index 100%');
    header.push(`rename from ${quoteName(oldPath)}`, `rename to ${quoteName(path)}`);
  }
  if (before?.blob !== after?.blob) {
    const mode = before !== undefined && before.mode === after?.mode ? ` ${before.mode}` : '';
    header.push(`index ${before?.blob ?? noBlob}..${after?.blob ?? noBlob}${mode}`);
  }
  const body = diff?.body ?? Buffer.alloc(0);
  if (body.length > 0 && diff?.isBinary === false) {
    header.push(
      `--- ${before === undefined ? '/dev/null' : old}`,
      `+++ ${after === undefined ? '/dev/null' : now}`,
    );
  }
  return [Buffer.from(`${header.join('\n')}\n`, 'latin1'), body];
}

const noBlob = '0'.repeat(40);

/** Quotes a name like git does, if it contains other than plain characters: their bytes as octal numbers. */
function quoteName(path: BytePath): string {
  if (/^[!#-[\]-~]+$/u.test(path)) return path;
  const quoted = path.replaceAll(/["\\\u0000-\u001f\u007f-\u00ff]/gu, (character) => {
    if (character === '"' || character === '\\') return `\\${character}`;
    return `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`;
  });
  return `"${quoted}"`;
}
