import type { ModelMessage } from './model.ts';

/** Characters of a token, for a model that does not count. */
export const tokenChars = 4;

/** Rough size of a conversation for a model that does not count. */
export function estimateTokens(messages: readonly ModelMessage[]): number {
  let characters = 0;
  for (const message of messages) characters += countCharacters(message);
  return Math.ceil(characters / tokenChars);
}

/** How many characters of a message a model reads, its tool calls without their arguments. */
export function countCharacters(message: ModelMessage): number {
  switch (message.role) {
    case 'user':
    case 'assistant':
      return message.text.length;
    case 'tool':
      return message.results.reduce((sum, result) => sum + result.text.length, 0);
  }
}
