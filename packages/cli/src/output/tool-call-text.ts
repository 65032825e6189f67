import type { Diff, ToolCallContent, ToolCallUpdate } from '@parley/acp';
import { rawOutputText } from '@parley/host';
import { toHonestLine } from '@parley/host/state';
import { diffLines } from './diff.ts';
import { toPlainLine, toPlainText } from './plain.ts';
import type { Style } from './style.ts';

/** How much is shown: what fits on a screen, or all that a user would read. */
export type Extent = 'excerpt' | 'whole';

/** Lines of a change that are displayed in full. */
const maxWholeLines = 5000;

/** How many lines of a difference are shown. */
const maxDiffLines: Readonly<Record<Extent, number>> = { excerpt: 24, whole: maxWholeLines };

/** Displayed characters of a title. */
const titleLength = 200;

/** How much of a line is shown. */
const maxLineLength: Readonly<Record<Extent, number>> = { excerpt: 200, whole: 4000 };

/** How many lines of a result are shown, by the kind of the call. */
function maxResultLines(call: ToolCallUpdate, extent: Extent): number {
  if (extent === 'whole') return maxWholeLines;
  if (call.status === 'failed') return 12;
  switch (call.kind) {
    case 'read':
      return 4;
    case 'execute':
      return 12;
    default:
      return 8;
  }
}

/** What a tool call is called in one line, with nothing hidden in it: it may be asked about, or just have been. */
export function toToolTitle(call: ToolCallUpdate): string {
  const title = toHonestLine(call.title ?? '', titleLength);
  return title === '' ? toHonestLine(call.name ?? call.kind ?? call.toolCallId, titleLength) : title;
}

/** What came of a tool call, as a few lines. */
export function toResultLines(call: ToolCallUpdate, style: Style, extent: Extent = 'excerpt'): string[] {
  const result = toTextLines(toShown(call), extent);
  return [
    ...toChangeLines(call.content ?? [], style, extent),
    ...excerpt(result, maxResultLines(call, extent), call.kind === 'execute'),
  ];
}

/** The content of a call; without any, the words of its raw output. */
function toShown({ content = [], rawOutput }: ToolCallUpdate): readonly ToolCallContent[] {
  const text = content.length > 0 ? undefined : rawOutputText(rawOutput);
  return text === undefined ? content : [{ type: 'content', content: { type: 'text', text } }];
}

/** What a tool call changes, or is about to change, as a few lines for each file. */
function toChangeLines(
  content: readonly ToolCallContent[],
  style: Style,
  extent: Extent = 'excerpt',
): string[] {
  return content.flatMap((item) => (item.type === 'diff' ? toDiffLines(item, style, extent) : []));
}

/** The words among the content of a tool call, line by line. */
function toTextLines(content: readonly ToolCallContent[], extent: Extent = 'excerpt'): string[] {
  return content.flatMap((item) => {
    if (item.type !== 'content' || item.content.type !== 'text') return [];
    const lines = toPlainText(item.content.text).trimEnd().split('\n');
    // A fence marks a block for those who render Markdown; as text it says nothing.
    return lines
      .filter((line) => line !== '' && !/^`{3,}\w*$/.test(line))
      .map((line) => cutLine(line, extent));
  });
}

function toDiffLines({ path, oldText = '', newText }: Diff, style: Style, extent: Extent): string[] {
  const lines = diffLines(oldText, newText).map(({ sign, text }) => {
    const line = `${sign} ${cutLine(toPlainText(text), extent)}`;
    if (sign === '+') return style.green(line);
    return sign === '-' ? style.red(line) : style.dim(line);
  });
  return [style.dim(toPlainLine(path)), ...excerpt(lines, maxDiffLines[extent])];
}

/** A line whose beginning says enough; its indentation stays. */
function cutLine(line: string, extent: Extent): string {
  const most = maxLineLength[extent];
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

/** The first lines, or the last; how many are left out is said. */
export function excerpt(lines: readonly string[], limit: number, fromEnd = false): readonly string[] {
  if (lines.length <= limit) return lines;
  const left = `… ${String(lines.length - limit)} more lines`;
  return fromEnd ? [left, ...lines.slice(-limit)] : [...lines.slice(0, limit), left];
}
