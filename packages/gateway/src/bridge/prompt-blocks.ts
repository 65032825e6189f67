import type { HistoryMessage, UserMessage } from '@parley/aap';
import type { CallAnswer, RunInput } from '@parley/aap/server';
import type { ContentBlock, PromptCapabilities } from '@parley/acp';
import { contentText, historyText } from './history-text.ts';

/** The parts of a prompt. */
export interface PromptSource {
  readonly input: RunInput;
  /** The part of the conversation that the agent does not know. */
  readonly unknown: readonly HistoryMessage[];
}

/**
 * The prompt of a run. Unknown conversation comes first, as an embedded resource if the agent supports that, to
 * separate it from the current message.
 *
 * @throws {TypeError} A message contains content that cannot be sent to an agent.
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
 * The current message of a run, without earlier ones.
 *
 * @throws {TypeError} A message contains content that cannot be sent to an agent.
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

/** Decisions about questions of an agent process that has ended, as text: no protocol has a way to answer them. */
function answersText(answers: readonly CallAnswer[]): string {
  return [
    'The session was interrupted while you waited for answers. They are here now; continue where you stopped.',
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
