import { MarkdownStream, type MarkdownOptions } from './markdown-stream.ts';

/** A whole text as Markdown. */
export function renderMarkdown(text: string, options: MarkdownOptions): string {
  const markdown = new MarkdownStream(options);
  return [...markdown.add(text), ...markdown.end()].join('\n');
}
