import type { ToolCallContent } from '@parley/acp';
import { use, type ReactElement } from 'react';
import { useText } from '../../text/language.tsx';
import { ContentView } from '../content/content-view.tsx';
import { ValueView } from '../content/value-view.tsx';
import { PlaceContext } from '../conversation-context.ts';
import { Diff } from '../diff/diff.tsx';
import { TerminalView } from '../terminal/terminal-view.tsx';

/** One thing that a tool call shows. */
export function ToolContent({
  content,
  isDeletion,
}: {
  readonly content: ToolCallContent;
  readonly isDeletion: boolean;
}): ReactElement {
  const { conversation: text } = useText();
  const { cwd } = use(PlaceContext);
  switch (content.type) {
    case 'content':
      return <ContentView block={content.content} />;
    case 'diff': {
      const { path, oldText, newText } = content;
      return (
        <Diff
          path={path}
          newText={newText}
          isDeleted={isDeletion && newText === ''}
          {...(oldText !== undefined && { oldText })}
          {...(cwd !== undefined && { cwd })}
        />
      );
    }
    case 'terminal':
      return <TerminalView terminalId={content.terminalId} />;
    case 'session':
      return <></>;
    case 'unknown':
      return (
        <details>
          <summary>{text.unknownContent}</summary>
          <ValueView value={content.raw} />
        </details>
      );
  }
}
