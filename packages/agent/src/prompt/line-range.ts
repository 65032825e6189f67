/** Some lines of a file, counted from 1. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** Reads `L10`, `L10-L20`, `10-20` and `10:20`. */
export function parseLineRange(text: string): LineRange | undefined {
  const [, from, to = from] = /^L?(\d{1,9})(?:[-:]L?(\d{1,9}))?$/iu.exec(text) ?? [];
  const first = Number(from);
  const last = Number(to);
  return first >= 1 && last >= first ? { first, last } : undefined;
}
