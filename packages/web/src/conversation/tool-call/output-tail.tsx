import type { ToolCallUpdate } from '@parley/acp';
import { get } from '@parley/host/state';
import { use, type ReactElement } from 'react';
import { FeedContext } from '../conversation-context.ts';
import { lastLines, plainText } from '../terminal/ansi.ts';

/** Number of output lines to show while the details of a command are collapsed. */
const tailLines = 4;

/** Characters of an output's last lines. */
const tailLength = 2000;

/** The last lines that a finished command wrote, while its details are closed. */
export function OutputTail({ call }: { readonly call: ToolCallUpdate }): ReactElement | null {
  const { view } = use(FeedContext);
  if (call.kind !== 'execute') return null;
  const { content = [] } = call;
  const written = content.flatMap((each) =>
    each.type === 'terminal' ? (get(view.terminals, each.terminalId)?.output ?? []) : [],
  );
  const said = content.flatMap((each) =>
    each.type === 'content' && each.content.type === 'text' ? each.content.text : [],
  );
  const output = written.at(-1) ?? said.at(-1) ?? '';
  const text = plainText(output.slice(-tailLength)).trimEnd();
  if (text === '') return null;
  return <pre className="tool-tail small">{lastLines(text, tailLines).text}</pre>;
}
