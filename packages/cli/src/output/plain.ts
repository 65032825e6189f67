const control = /[^\P{Cc}\n\t]/u;

// ECMA-48: control sequences, control strings (title, clipboard, hyperlink, …) that end in their line, then other escapes;
// each also in its one-character form. What is left of a broken one is removed as a lone control: its text stays.
const escapeSequence =
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\n\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)|\u001b[ -/]*[0-~]/gu;
const controls = /[^\P{Cc}\n\t]/gu;

// Characters that reorder or hide what a user reads: bidirectional overrides and isolates, zero width ones.
const deceiving = /[\u202a-\u202e\u2066-\u2069\u200b\u2060\ufeff]/gu;

/**
 * What an agent wrote, safe to show on a terminal: no escape sequences, no control characters but newline and tab, nothing
 * that reorders it. A text on which a user decides is honest instead (`toHonestText`): nothing of it is removed.
 */
export function toPlainText(text: string): string {
  const shown = control.test(text) ? text.replace(escapeSequence, '').replace(controls, '') : text;
  return shown.replace(deceiving, '');
}

/** One line of an agent's text: safe, without line breaks, and no longer than the limit. */
export function toPlainLine(text: string, limit = 200): string {
  const line = toPlainText(text.slice(0, limit * 4))
    .replace(/\s+/gu, ' ')
    .trim();
  return line.length > limit ? `${line.slice(0, limit - 1)}…` : line;
}
