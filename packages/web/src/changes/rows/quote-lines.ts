import type { DiffLine } from '../../conversation/diff/to-diff.ts';
import { quotedLines } from '../../limits.ts';

/** What a comment is about. */
export interface CommentPlace {
  readonly path: string;
  readonly lines: readonly DiffLine[];
}

/** Formats a comment for a prompt: the file and line numbers, the lines, and the comment. */
export function quoteLines({ path, lines }: CommentPlace, comment: string): string {
  const quoted = lines.slice(0, quotedLines).map(({ kind, text }) => `${signs[kind]}${text}`);
  if (lines.length > quotedLines) quoted.push('…');
  const fence = fenceAround(quoted);
  return `${placeName(path, lines)}\n${fence}diff\n${quoted.join('\n')}\n${fence}\n${comment.trim()}`;
}

const signs = { same: ' ', added: '+', removed: '-' } as const;

/** The file with line numbers: those of its current content, or for removed lines those they had. */
function placeName(path: string, lines: readonly DiffLine[]): string {
  const now = lines.flatMap((line) => (line.kind === 'removed' ? [] : [line.newLine]));
  const old = lines.flatMap((line) => (line.kind === 'removed' ? [line.oldLine] : []));
  const numbers = now.length > 0 ? now : old;
  const first = numbers.at(0);
  const last = numbers.at(-1);
  const where =
    first === undefined ? '' : first === last ? `:${String(first)}` : `:${String(first)}-${String(last)}`;
  return `${codeOf(`${path}${where}`)}${now.length === 0 && old.length > 0 ? ' (deleted)' : ''}`;
}

/** Longer than every fence in the lines. */
function fenceAround(lines: readonly string[]): string {
  const longest = Math.max(
    0,
    ...lines.flatMap((line) => line.match(/`+/gu) ?? []).map(({ length }) => length),
  );
  return '`'.repeat(Math.max(3, longest + 1));
}

function codeOf(text: string): string {
  const line = text.replaceAll(/[\r\n]+/gu, ' ');
  if (!line.includes('`')) return `\`${line}\``;
  const fence = fenceAround([line]);
  return `${fence} ${line} ${fence}`;
}
