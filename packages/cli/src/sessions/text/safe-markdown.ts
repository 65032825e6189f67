/**
 * Untrusted Markdown as a part of ours: it keeps its emphasis, lists and code, ends each block of code that it
 * begins, brings no HTML, and its headings stay below ours.
 */
export function toSafeMarkdown(text: string): string {
  const lines: string[] = [];
  let fence: string | undefined;
  for (const line of text.split('\n')) {
    const [, mark = ''] = /^ {0,3}(`{3,}|~{3,})/u.exec(line) ?? [];
    if (fence !== undefined) {
      if (endsFence(line, fence)) fence = undefined;
      lines.push(line);
    } else if (
      mark !== '' &&
      !(mark.startsWith('`') && line.slice(line.indexOf(mark) + mark.length).includes('`'))
    ) {
      fence = mark;
      lines.push(line);
    } else {
      lines.push(toSafeLine(line));
    }
  }
  if (fence !== undefined) lines.push(fence);
  return lines.join('\n');
}

/** CommonMark 4.5: the same character, at least as often, and nothing behind it. */
function endsFence(line: string, fence: string): boolean {
  const [, mark = ''] = /^ {0,3}(`{3,}|~{3,})[ \t]*$/u.exec(line) ?? [];
  return mark.startsWith(fence[0] ?? '') && mark.length >= fence.length;
}

function toSafeLine(line: string): string {
  const [, hashes = '', rest = ''] = /^ {0,3}(#{1,6})([ \t].*|)$/u.exec(line) ?? [];
  const lowered = hashes === '' ? line : `${'#'.repeat(Math.min(6, hashes.length + 2))}${rest}`;
  // What is code between backticks stays as it is.
  return lowered.replaceAll(/(`+)(?:(?!\1).)+\1(?!`)|<(?=[a-z/!?])/giu, (found) =>
    found === '<' ? String.raw`\<` : found,
  );
}
