import { imagesOf } from './message-images.ts';
import type { ModelMessage, ModelRequest } from './model.ts';

/** Characters of a token, for a model that does not count. */
export const tokenChars = 4;

/** Rough size of a conversation for a model that does not count. */
export function estimateTokens(messages: readonly ModelMessage[]): number {
  return toTokens(countAllCharacters(messages));
}

/** Rough size of a whole request, with the instructions before the conversation. */
export function estimateRequest({ instructions, messages, tools }: ModelRequest): number {
  const definitions = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  return estimateTokens(messages) + toTokens(instructions.length + JSON.stringify(definitions).length);
}

/** Roughly how many tokens so many characters are. */
export function toTokens(characters: number): number {
  return Math.ceil(characters / tokenChars);
}

/** Tokens of an image, about as many as providers count for one that fills a screen; what is larger they make smaller. */
const imageTokens = 1500;

/** How many characters of a conversation a model reads; an image counts as many as its tokens. */
export function countAllCharacters(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, message) => sum + countCharacters(message), 0);
}

/** The same for one message. */
export function countCharacters(message: ModelMessage): number {
  return countText(message) + imagesOf(message).length * imageTokens * tokenChars;
}

/** How many characters of text a message has. */
export function countText(message: ModelMessage): number {
  switch (message.role) {
    case 'user':
      return (message.context ?? []).reduce(
        (sum, { source, text }) => sum + source.length + text.length,
        message.text.length,
      );
    case 'assistant':
      return message.toolCalls.reduce((sum, { input }) => sum + countInput(input), message.text.length);
    case 'tool':
      return message.results.reduce((sum, result) => sum + result.text.length, 0);
  }
}

function countInput(input: unknown): number {
  // What a model calls with came as JSON, or is the text of something that is none.
  return typeof input === 'string' ? input.length : JSON.stringify(input ?? null).length;
}
