/** Some lines of a text with their line ends, and how many lines the text has. */
export interface LineWindow {
  readonly text: string;
  readonly lines: number;
}

/** Cuts lines out of a text; they count from 1. */
export function lineWindow(
  text: string,
  { line = 1, limit = Infinity }: { readonly line?: number; readonly limit?: number },
): LineWindow {
  let lines = 0;
  let start = line <= 1 ? 0 : text.length;
  let end = limit <= 0 ? start : text.length;
  for (let at = 0; at < text.length; lines += 1) {
    const lineBreak = text.indexOf('\n', at);
    const next = lineBreak === -1 ? text.length : lineBreak + 1;
    if (lines + 1 === line) start = at;
    if (lines + 1 === line + limit - 1) end = next;
    at = next;
  }
  return { text: text.slice(start, Math.max(start, end)), lines };
}
