import type { ToolCallContent } from '@parley/acp';
import type { OldText } from '../files.ts';

/** Text as part of a tool call. */
export function textContent(text: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text } };
}

/** Text to be shown as it is: clients render text as Markdown, so it is fenced. */
export function codeContent(text: string): ToolCallContent {
  return textContent(fence(text));
}

/** Text between fences that do not occur in it. */
export function fence(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`{3,}/gu), ([run]) => run.length));
  const ticks = '`'.repeat(longest + 1);
  return `${ticks}\n${text}${text.endsWith('\n') ? '' : '\n'}${ticks}`;
}

/** The diff of a file; `oldText` null means that it did not exist. */
export function diffContent(path: string, oldText: string | null, newText: string): ToolCallContent {
  // On the wire a new file has the old text null; the type is the reader's, for whom null is absent.
  const nullable: { readonly oldText: string | null } = { oldText };
  const diff: { readonly type: 'diff'; readonly path: string; readonly newText: string } = {
    type: 'diff',
    path,
    ...nullable,
    newText,
  };
  return diff;
}

/** What became of a file; the texts only where both can be shown. */
export function changeContent(path: string, old: OldText, newText: string): ToolCallContent {
  return old.oldTextOmitted === undefined
    ? diffContent(path, old.oldText, newText)
    : textContent(`Changed ${path}; what it held before was no text, or too long to show`);
}
