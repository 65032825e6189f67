import { AgentError } from '../../agent-error.ts';

/** A text with one place changed, and the line where that place begins. */
export interface Replacement {
  readonly newText: string;
  readonly line: number;
  /** The differences that were ignored to find the text; absent if it matched exactly. */
  readonly tolerated?: 'white space' | 'white space and typography';
}

/**
 * Changes the only place where `oldPart` stands; none or several places are an `AgentError`. What does not stand there
 * exactly is looked for by whole lines, in which white space does not count; then typography neither: which quotes and
 * dashes they are, and how letters with accents are composed. The new lines are then indented like the old ones.
 */
export function replaceOnce(text: string, oldPart: string, newPart: string): Replacement {
  const start = text.indexOf(oldPart);
  if (start === -1) {
    const replaced =
      replaceLines(text, [oldPart, newPart], toBare) ?? replaceLines(text, [oldPart, newPart], toPlain);
    if (replaced === undefined) throw new AgentError('no-match', 'The text to replace is not in the file');
    return replaced;
  }
  const places = placesOf(text, oldPart, start);
  if (places.length > 1) throw ambiguous(places.map((place) => lineAt(text, place)));
  return {
    newText: text.slice(0, start) + withEndingsOf(text, newPart) + text.slice(start + oldPart.length),
    line: lineAt(text, start),
  };
}

function placesOf(text: string, part: string, first: number): readonly number[] {
  const places: number[] = [];
  for (let at = first; at !== -1; at = text.indexOf(part, at + 1)) places.push(at);
  return places;
}

function lineAt(text: string, place: number): number {
  return text.slice(0, place).split('\n').length;
}

/** Line numbers that an error message lists. */
const mostLinesNamed = 10;

function ambiguous(lines: readonly number[]): AgentError {
  const named = [...new Set(lines)].slice(0, mostLinesNamed).join(', ');
  return new AgentError(
    'ambiguous-match',
    `The text to replace occurs ${String(lines.length)} times in the file (lines ${named}); it must be unique`,
  );
}

function replaceLines(
  text: string,
  [oldPart, newPart]: readonly [string, string],
  toCompared: (line: string) => string,
): Replacement | undefined {
  const oldLines = withoutBlankEdges(oldPart.split('\n'));
  const wanted = oldLines.map(toCompared);
  const lines = text.split('\n');
  const compared = lines.map(toCompared);
  const places =
    wanted.length === 0 ? [] : compared.flatMap((_line, at) => (standsAt(compared, wanted, at) ? [at] : []));
  const [place] = places;
  if (place === undefined) return undefined;
  if (places.length > 1) throw ambiguous(places.map((at) => at + 1));
  const newLines = withoutBlankEdges(newPart.split('\n'));
  const indented = reindent(newLines, indentOf(oldLines[0] ?? ''), indentOf(lines[place] ?? ''));
  const ending = lines[place]?.endsWith('\r') === true ? '\r' : '';
  const fitting = indented.map((line) => line.replace(/\r$/u, '') + ending);
  return {
    newText: [...lines.slice(0, place), ...fitting, ...lines.slice(place + wanted.length)].join('\n'),
    line: place + 1,
    tolerated: toCompared === toBare ? 'white space' : 'white space and typography',
  };
}

function standsAt(lines: readonly string[], wanted: readonly string[], at: number): boolean {
  return wanted.every((line, index) => lines[at + index] === line);
}

function toBare(line: string): string {
  return line.replaceAll(/\s+/gu, ' ').trim();
}

function toPlain(line: string): string {
  return toBare(line)
    .normalize('NFC')
    .replaceAll(/[‘’‚‛]/gu, "'")
    .replaceAll(/[“”„‟]/gu, '"')
    .replaceAll(/[‐‑‒–—−]/gu, '-');
}

/** Gives the new text CR LF line endings if all lines of the file have them. */
function withEndingsOf(text: string, part: string): string {
  const isWindows = text.includes('\r\n') && !/(?<!\r)\n/u.test(text);
  return isWindows ? part.replaceAll(/\r?\n/gu, '\r\n') : part;
}

function withoutBlankEdges(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line.trim() !== '');
  const last = lines.findLastIndex((line) => line.trim() !== '');
  return first === -1 ? [] : lines.slice(first, last + 1);
}

function indentOf(line: string): string {
  return /^[ \t]*/u.exec(line)?.[0] ?? '';
}

function reindent(lines: readonly string[], from: string, to: string): readonly string[] {
  return lines.map((line) =>
    line.startsWith(from) && line.trim() !== '' ? to + line.slice(from.length) : line,
  );
}
