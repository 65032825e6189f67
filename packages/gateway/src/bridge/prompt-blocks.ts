import type { HistoryMessage, UserMessage } from '@parley/aap';
import type { CallAnswer, RunInput } from '@parley/aap/server';
import type { ContentBlock, PromptCapabilities } from '@parley/acp';
import { contentText, historyText } from './history-text.ts';

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
  const message = toMessage(input);
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

/**
 * What is asked in a run, without what was said before.
 *
 * @throws {TypeError} A message holds what an agent cannot be sent.
 */
export function toMessage(input: RunInput): readonly ContentBlock[] {
  return input.role === 'user' ? toBlocks(input) : [{ type: 'text', text: answersText(input.answers) }];
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

/**
 * What was decided while the agent that had asked was gone, in words: no protocol has a way to answer a question of an agent
 * that is not there any more.
 */
function answersText(answers: readonly CallAnswer[]): string {
  return [
    'The session was interrupted while you waited for answers. They are here now; go on from where you were.',
    ...answers.map(toText),
  ].join('\n\n');
}

function toText(answer: CallAnswer): string {
  const { name, input } = answer.call;
  const call = `${name} ${JSON.stringify(input)}`;
  switch (answer.kind) {
    case 'granted':
      return `Allowed, and not done yet: ${call}. Do it now, once, exactly so.`;
    case 'denied':
      return `Not allowed: ${call}.${answer.reason === undefined ? '' : ` ${answer.reason}`} Do not do it.`;
    case 'result':
      return `The tool call ${call} returned:\n\n${contentText(answer.content)}`;
  }
}
