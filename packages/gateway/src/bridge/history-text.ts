import type { ContentBlock, HistoryMessage } from '@parley/aap';

/** Characters of the earlier conversation that are sent to an agent again; the latest are used. */
const historyChars = 200_000;

/** Characters of one tool result in the earlier conversation. */
const toolResultChars = 4000;

/** An earlier conversation, for an agent that was not part of it. */
export interface HistoryText {
  /** What the text is. */
  readonly introduction: string;
  readonly text: string;
}

/**
 * A history as text; undefined if it is empty. Instructions are always included; of other messages, the latest that
 * fit.
 */
export function historyText(history: readonly HistoryMessage[]): HistoryText | undefined {
  const instructions = history.flatMap(({ role, content }) => (role === 'system' ? [content] : []));
  const messages = history.flatMap((message) => (message.role === 'system' ? [] : [toText(message)]));
  if (instructions.length === 0 && messages.length === 0) return undefined;
  const parts = [
    ...(instructions.length > 0 ? [`## Instructions\n\n${instructions.join('\n\n')}`] : []),
    ...(messages.length > 0 ? [`## Conversation so far\n\n${latest(messages)}`] : []),
  ];
  return { introduction: introduce(instructions.length > 0, messages.length > 0), text: parts.join('\n\n') };
}

function introduce(hasInstructions: boolean, hasMessages: boolean): string {
  if (!hasMessages) return 'Follow these instructions in this session.';
  const conversation = 'This session continues an earlier conversation, which follows. Continue from there.';
  return hasInstructions ? `${conversation} Follow the instructions in it.` : conversation;
}

function latest(messages: readonly string[]): string {
  const kept: string[] = [];
  let left = historyChars;
  for (const message of messages.toReversed()) {
    left -= message.length;
    if (left < 0 && kept.length > 0) break;
    kept.unshift(message.length > historyChars ? message.slice(-historyChars) : message);
  }
  const omitted = messages.length - kept.length;
  return [...(omitted > 0 ? [`[${omitted} earlier messages omitted]`] : []), ...kept].join('\n\n');
}

function toText(message: Exclude<HistoryMessage, { readonly role: 'system' }>): string {
  switch (message.role) {
    case 'user':
      return `**User:** ${contentText(message.content)}`;
    case 'assistant':
      return `**Assistant:** ${contentText(message.content)}`;
    case 'tool':
      return `**Result of ${message.toolCallId}:** ${contentText(message.content).slice(0, toolResultChars)}`;
  }
}

/** Content of a message, with what is no text named. */
export function contentText(content: string | readonly ContentBlock[]): string {
  if (typeof content === 'string') return content;
  return content
    .map((block) => {
      switch (block.type) {
        case 'text':
          return block.text;
        case 'thinking':
          return '';
        case 'image':
          return '[an image]';
        case 'tool_use':
          return `[called ${block.name} as ${block.toolCallId} with ${JSON.stringify(block.input)}]`;
      }
    })
    .filter((text) => text !== '')
    .join('\n');
}
