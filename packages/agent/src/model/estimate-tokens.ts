import { estimateTextTokens } from './estimate-text.ts';
import { imagesOf } from './message-images.ts';
import type { ModelMessage, ModelRequest } from './model.ts';

/** Characters of an English token, for limits in characters. */
export const tokenChars = 4;

/** Estimated tokens of a conversation, for a model that reports none. */
export function estimateTokens(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, message) => sum + estimateMessage(message), 0);
}

/** The same for a whole request, with the instructions before the conversation. */
export function estimateRequest({ instructions, messages, tools }: ModelRequest): number {
  const definitions = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  return estimateTokens(messages) + estimateText(instructions) + estimateText(JSON.stringify(definitions));
}

/** Messages do not change, and each is estimated many times. */
const estimates = new WeakMap<ModelMessage, number>();

/** The same for one message. */
export function estimateMessage(message: ModelMessage): number {
  const known = estimates.get(message);
  if (known !== undefined) return known;
  const text = textsOf(message).reduce((sum, part) => sum + estimateText(part), 0);
  const estimate = text + imagesOf(message).length * imageTokens;
  estimates.set(message, estimate);
  return estimate;
}

/** Longer texts are estimated by their beginning and end, in characters. */
const sampleChars = 32_768;

function estimateText(text: string): number {
  if (text.length <= 2 * sampleChars) return estimateTextTokens(text);
  const sample =
    estimateTextTokens(text.slice(0, sampleChars)) + estimateTextTokens(text.slice(-sampleChars));
  return Math.ceil((sample * text.length) / (2 * sampleChars));
}

/** Tokens of an image: about what providers count for one of the size of a screen; they scale down larger ones. */
const imageTokens = 1500;

/** The number of characters of a conversation; an image counts as many as its tokens. */
export function countAllCharacters(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, message) => sum + countCharacters(message), 0);
}

/** The same for one message. */
export function countCharacters(message: ModelMessage): number {
  return countText(message) + imagesOf(message).length * imageTokens * tokenChars;
}

/** How many characters of text a message has. */
export function countText(message: ModelMessage): number {
  return textsOf(message).reduce((sum, text) => sum + text.length, 0);
}

function textsOf(message: ModelMessage): readonly string[] {
  switch (message.role) {
    case 'user':
      return [message.text, ...(message.context ?? []).flatMap(({ source, text }) => [source, text])];
    case 'assistant':
      return [message.text, ...message.toolCalls.map(({ input }) => toInputText(input))];
    case 'tool':
      return message.results.map(({ text }) => text);
  }
}

function toInputText(input: unknown): string {
  // What a model calls with came as JSON, or is the text of something that is none.
  return typeof input === 'string' ? input : JSON.stringify(input ?? null);
}
