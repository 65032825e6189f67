import type { Style } from '../output/style.ts';
import type { MessageView } from '../output/text-page.ts';
import type { Screen } from '../terminal/live-screen.ts';
import { MarkdownStream } from './markdown-stream.ts';

/** Shows the messages of an agent as Markdown, while they come. */
export function markdownView(screen: Screen, style: Style): MessageView {
  const markdown = new MarkdownStream({ columns: () => screen.size.columns, style });
  const show = (rows: readonly string[]): void => {
    screen.print(rows);
    screen.showOpen(() => markdown.open);
  };
  return {
    add: (text) => {
      show(markdown.add(text));
    },
    flush: () => {
      show(markdown.flush());
    },
    end: () => {
      show(markdown.end());
    },
  };
}
