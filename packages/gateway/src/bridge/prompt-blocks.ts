import type { HistoryMessage, UserMessage } from '@parley/aap';
import type { RunInput } from '@parley/aap/server';
import type { ContentBlock, PromptCapabilities } from '@parley/acp';
import { answersText } from './answers-text.ts';
import { historyText } from './history-text.ts';

/** What a prompt is made of. */
export interface PromptSource {
  readonly input: RunInput;
  /** What the agent does not know yet of what was said before. */
  readonly unknown: readonly HistoryMessage[];
}

/**
 * The prompt for a run. What the agent does not know goes before it: as a resource of its own where the agent takes such, so
 * that it is not mistaken for what is asked now.
 *
 * @throws {TypeError} A message holds what an agent cannot be sent.
 */
export function toPrompt(
  { input, unknown }: PromptSource,
  { embeddedContext = false }: PromptCapabilities = {},
): readonly ContentBlock[] {
  const message: readonly ContentBlock[] =
    input.role === 'user' ? toBlocks(input) : [{ type: 'text', text: answersText(input.answers) }];
  const before = historyText(unknown);
  if (before === undefined) return message;
  const text = `${before.introduction}\n\n${before.text}`;
  if (!embeddedContext) return [{ type: 'text', text }, ...message];
  return [
    { type: 'text', text: before.introduction },
    { type: 'resource', resource: { uri: historyUri, mimeType: 'text/markdown', text: before.text } },
    ...message,
  ];
}

const historyUri = 'parley://session/history';

function toBlocks({ content }: UserMessage): readonly ContentBlock[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return content.map((block) => {
    switch (block.type) {
      case 'text':
        return block;
      case 'image':
        return toImage(block.url);
      case 'thinking':
      case 'tool_use':
        throw new TypeError(`a user's message holds a block of type ${block.type}`);
    }
  });
}

/** A `data:` URI as the bytes it holds; another URL is for the agent to follow. */
function toImage(url: string): ContentBlock {
  const [, mimeType, data] = /^data:([\w.+-]+\/[\w.+-]+)(?:;[^,;]*)*;base64,(.*)$/s.exec(url) ?? [];
  if (mimeType === undefined || data === undefined) return { type: 'resource_link', name: 'image', uri: url };
  return { type: 'image', mimeType, data };
}
