import type { ModelMessage } from './model.ts';

/** Characters of a token, for a model that does not count. */
export const tokenChars = 4;

/** Rough size of a conversation for a model that does not count. */
export function estimateTokens(messages: readonly ModelMessage[]): number {
  let characters = 0;
  for (const message of messages) characters += countCharacters(message);
  return toTokens(characters);
}

/** Roughly how many tokens so many characters are. */
export function toTokens(characters: number): number {
  return Math.ceil(characters / tokenChars);
}

/** How many characters of a message a model reads, its images apart. */
export function countCharacters(message: ModelMessage): number {
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
