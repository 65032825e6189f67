/** A colour of a terminal: one of its sixteen, or any other as CSS writes it. */
export type AnsiColour = number | string;

/** A piece of a command's output, with its style. */
export interface AnsiSpan {
  readonly text: string;
  readonly style: AnsiStyle;
}

/** The style of text in a terminal. Absent fields are the default. */
export interface AnsiStyle {
  readonly colour?: AnsiColour;
  readonly background?: AnsiColour;
  readonly isBold?: true;
  readonly isDim?: true;
  readonly isItalic?: true;
  readonly isUnderlined?: true;
  readonly isStruck?: true;
  readonly isInverse?: true;
}

/** Parses a command's output with its colours. Cursor movements are left out, and overwritten lines are not shown. */
export function parseAnsi(text: string): readonly AnsiSpan[] {
  const spans: AnsiSpan[] = [];
  let style: AnsiStyle = {};
  let from = 0;
  const clean = overwrite(text.replaceAll(otherSequence, ''));
  const add = (to: number): void => {
    if (to > from) spans.push({ text: clean.slice(from, to), style });
  };
  for (const match of clean.matchAll(colourSequence)) {
    add(match.index);
    style = styleAfter(style, match[1] ?? '');
    from = match.index + match[0].length;
  }
  add(clean.length);
  return spans;
}

/** What a command wrote, without colours. */
export function plainText(text: string): string {
  return parseAnsi(text)
    .map((span) => span.text)
    .join('');
}

/** The last lines of a text, and how many there are above. */
export function lastLines(text: string, count: number): { readonly text: string; readonly above: number } {
  let start = text.endsWith('\n') ? text.length - 1 : text.length;
  for (let lines = 0; lines < count; lines += 1) {
    start = text.lastIndexOf('\n', start - 1);
    if (start <= 0) return { text, above: 0 };
  }
  return { text: text.slice(start + 1), above: text.slice(0, start).split('\n').length };
}

/** The first lines of a text, and how many there are below. */
export function firstLines(text: string, count: number): { readonly text: string; readonly below: number } {
  let end = -1;
  for (let lines = 0; lines < count; lines += 1) {
    end = text.indexOf('\n', end + 1);
    if (end === -1 || end === text.length - 1) return { text, below: 0 };
  }
  const rest = text.slice(end + 1);
  return { text: text.slice(0, end + 1), below: rest.split('\n').length - (rest.endsWith('\n') ? 1 : 0) };
}

// ECMA-48: SGR is a control sequence that ends with `m`.
const colourSequence = /\u001B\[([\d;:]*)m/g;
const otherSequence =
  // Strings (titles, links), control sequences but SGR, other escapes, and control characters.
  /\u001B[\]P^_X][^\u0007\u001B]*(?:\u0007|\u001B\\|$)|\u001B\[[\d;:<=>?]*[ -/]*(?:[@-ln-~]|$)|\u001B\[[<=>?][\d;:]*m|\u001B[ -/]*[0-Z\\`-~]|[\u0000-\u0007\u000B\u000C\u000E-\u001A\u001C-\u001F\u007F]/g;

/** Programs go back to the beginning of the line to show their progress. */
function overwrite(text: string): string {
  const ended = text.replaceAll('\r\n', '\n');
  if (!ended.includes('\r') && !ended.includes('\b')) return ended;
  return ended
    .split('\n')
    .map((line) => {
      const written = line.replace(/\r+$/, '');
      return withoutErased(written.slice(written.lastIndexOf('\r') + 1));
    })
    .join('\n');
}

function withoutErased(line: string): string {
  let rest = line;
  for (let at = rest.indexOf('\b'); at !== -1; at = rest.indexOf('\b')) {
    rest = rest.slice(0, Math.max(0, at - 1)) + rest.slice(at + 1);
  }
  return rest;
}

function styleAfter(before: AnsiStyle, parameters: string): AnsiStyle {
  const codes = parameters.split(/[;:]/).map(Number);
  let style = before;
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index] ?? 0;
    if (code === 38 || code === 48) {
      const { colour, length } = longColour(codes.slice(index + 1));
      index += length;
      if (colour !== undefined) style = withColour(style, code === 38 ? 'colour' : 'background', colour);
    } else {
      style = withCode(style, code);
    }
  }
  return style;
}

function withColour(style: AnsiStyle, of: 'colour' | 'background', colour: AnsiColour): AnsiStyle {
  return { ...style, [of]: colour };
}

function withCode(style: AnsiStyle, code: number): AnsiStyle {
  if (code === 0) return {};
  const switched = switches.get(code);
  if (switched !== undefined) return { ...style, [switched]: true };
  const off = switchesOff.get(code);
  if (off !== undefined) {
    return Object.fromEntries(Object.entries(style).filter(([name]) => !off.includes(name)));
  }
  if (code >= 30 && code <= 37) return { ...style, colour: code - 30 };
  if (code >= 90 && code <= 97) return { ...style, colour: code - 82 };
  if (code >= 40 && code <= 47) return { ...style, background: code - 40 };
  if (code >= 100 && code <= 107) return { ...style, background: code - 92 };
  return style;
}

const switches: ReadonlyMap<number, keyof AnsiStyle> = new Map<number, keyof AnsiStyle>([
  [1, 'isBold'],
  [2, 'isDim'],
  [3, 'isItalic'],
  [4, 'isUnderlined'],
  [7, 'isInverse'],
  [9, 'isStruck'],
]);

const switchesOff: ReadonlyMap<number, readonly string[]> = new Map([
  [22, ['isBold', 'isDim']],
  [23, ['isItalic']],
  [24, ['isUnderlined']],
  [27, ['isInverse']],
  [29, ['isStruck']],
  [39, ['colour']],
  [49, ['background']],
]);

/** A colour of the palette of 256, or any. */
function longColour(codes: readonly number[]): { readonly colour?: AnsiColour; readonly length: number } {
  const [kind, first = 0, green = 0, blue = 0] = codes;
  if (kind === 5) return { colour: paletteColour(first), length: 2 };
  if (kind === 2) return { colour: `rgb(${first} ${green} ${blue})`, length: 4 };
  return { length: codes.length };
}

function paletteColour(code: number): AnsiColour {
  if (code < 16) return code;
  if (code >= 232) {
    const grey = (code - 232) * 10 + 8;
    return `rgb(${grey} ${grey} ${grey})`;
  }
  const level = (value: number): number => (value === 0 ? 0 : value * 40 + 55);
  const cube = code - 16;
  return `rgb(${level(Math.floor(cube / 36))} ${level(Math.floor(cube / 6) % 6)} ${level(cube % 6)})`;
}
