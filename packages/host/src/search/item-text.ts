import type { ContentBlock, ToolCallContent } from '@parley/acp';
import type { SessionState } from '../state/session-state.ts';
import { get } from '../state/table.ts';
import type { Item, MessageRole, ToolCallItem } from '../state/transcript/item.ts';

/** What kind of thing something was found in. */
export type SearchRole = MessageRole | 'tool' | 'question' | 'notice' | 'file';

/** The words of an item, and whose they are; undefined for one without any. */
export function textOfItem(
  item: Item,
  view: SessionState,
): { readonly role: SearchRole; readonly text: string } | undefined {
  switch (item.kind) {
    case 'message':
      // The turn of its own has the same words.
      if (item.steering === 'queued') return undefined;
      return { role: item.role, text: textOfBlocks(item.blocks) };
    case 'tool-call':
      return { role: 'tool', text: textOfCall(item, view) };
    case 'question':
      return { role: 'question', text: [item.message, ...(item.answer?.chosen ?? [])].join('\n') };
    case 'notice':
      return { role: 'notice', text: `${item.notice.title}\n${item.notice.description ?? ''}` };
    case 'compaction':
      return { role: 'notice', text: textOfBlocks(item.summary) };
    case 'file-write':
      return { role: 'file', text: item.path };
    case 'session-message':
      return { role: 'agent', text: textOfBlocks(item.blocks) };
    case 'subagent':
    case 'diagnostic':
    case 'interruption':
    case 'agent-end':
    case 'recovery':
    case 'omission':
    case 'unknown':
      return undefined;
  }
}

function textOfBlocks(blocks: readonly ContentBlock[]): string {
  return blocks.map(textOfBlock).join('');
}

function textOfBlock(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'resource_link':
      return block.uri;
    case 'resource':
      return 'text' in block.resource && typeof block.resource.text === 'string'
        ? block.resource.text
        : block.resource.uri;
    case 'image':
    case 'audio':
    case 'unknown':
      return '';
  }
}

function textOfCall({ call }: ToolCallItem, view: SessionState): string {
  const { title, locations, rawInput, content } = call;
  return [
    title ?? '',
    ...(locations ?? []).map(({ path }) => path),
    ...stringsIn(rawInput),
    ...(content ?? []).map((piece) => textOfContent(piece, view)),
  ].join('\n');
}

function textOfContent(content: ToolCallContent, view: SessionState): string {
  switch (content.type) {
    case 'content':
      return textOfBlock(content.content);
    case 'diff':
      return [content.path, content.newText, content.oldText ?? ''].join('\n');
    case 'terminal': {
      const terminal = get(view.terminals, content.terminalId);
      return terminal === undefined ? '' : `${terminal.command}\n${terminal.output}`;
    }
    case 'session':
    case 'unknown':
      return '';
  }
}

/** Nesting depth of arguments that are searched. */
const maxDepth = 8;

/** The texts among the arguments of a call. */
function stringsIn(value: unknown, depth = 0): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth > maxDepth) return [];
  return Object.values(value).flatMap((inner) => stringsIn(inner, depth + 1));
}
