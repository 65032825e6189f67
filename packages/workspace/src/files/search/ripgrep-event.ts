/** A line in which ripgrep found something. */
export interface RipgrepMatch {
  /** As ripgrep names it: relative to where it started. */
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  /** The line without its end. */
  readonly text: string;
  /** Start of the first match in the text, in UTF-16 units. */
  readonly column: number;
}

/** The relevant output of `rg --json`: a match, a file that turned out to be binary, the end of the search. */
export type RipgrepEvent = RipgrepMatch | 'binary' | 'summary';

/** Reads one line of `rg --json`; undefined for what does not matter. */
export function parseRipgrepEvent(json: string): RipgrepEvent | undefined {
  const event: unknown = JSON.parse(json);
  const data = field(event, 'data');
  switch (field(event, 'type')) {
    case 'match':
      return parseMatch(data);
    case 'end':
      return typeof field(data, 'binary_offset') === 'number' ? 'binary' : undefined;
    case 'summary':
      return 'summary';
    default:
      return undefined;
  }
}

function parseMatch(data: unknown): RipgrepMatch | undefined {
  const path = textOf(field(data, 'path'));
  const lines = textOf(field(data, 'lines'));
  const line = field(data, 'line_number');
  if (path === undefined || lines === undefined || typeof line !== 'number') return undefined;
  const column = charactersBefore(lines, firstOffset(field(data, 'submatches')));
  return { path: path.toString(), line, text: lines.toString().replace(/\r?\n$/, ''), column };
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

/** The bytes of a value: `{text}` for UTF-8, `{bytes}` in base64 for anything else. */
function textOf(value: unknown): Buffer | undefined {
  const text = field(value, 'text');
  if (typeof text === 'string') return Buffer.from(text);
  const bytes = field(value, 'bytes');
  return typeof bytes === 'string' ? Buffer.from(bytes, 'base64') : undefined;
}

function firstOffset(submatches: unknown): number {
  const start = Array.isArray(submatches) ? field(submatches[0], 'start') : undefined;
  return typeof start === 'number' ? start : 0;
}

function charactersBefore(bytes: Buffer, offset: number): number {
  return bytes.subarray(0, offset).toString().length;
}
