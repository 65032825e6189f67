import type { Variables } from '../configuration/places.ts';

/** Marks text on a terminal; on anything else it leaves it as it is. */
export interface Style {
  /** Marks can be seen. */
  readonly isColoured: boolean;
  dim(text: string): string;
  bold(text: string): string;
  red(text: string): string;
  green(text: string): string;
  cyan(text: string): string;
  italic(text: string): string;
  underline(text: string): string;
}

/** The style for a stream: colours only on a terminal that wants them. */
export function createStyle(isTerminal: boolean, env: Variables): Style {
  const wanted = isTerminal && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
  const mark = (on: number, off: number) => (text: string) =>
    wanted && text !== '' ? `\u001b[${String(on)}m${text}\u001b[${String(off)}m` : text;
  return {
    isColoured: wanted,
    dim: mark(2, 22),
    bold: mark(1, 22),
    red: mark(31, 39),
    green: mark(32, 39),
    cyan: mark(36, 39),
    italic: mark(3, 23),
    underline: mark(4, 24),
  };
}
