import { firstCharacters } from '../first-characters.ts';
import type { ModelMessage } from '../model/model.ts';

/** Length to which texts are shortened before the oldest are dropped. */
const leastTextChars = 200;

/** A conversation as one text of at most so many characters: long texts in it are cut, then the oldest are left out. */
export function messagesText(messages: readonly ModelMessage[], limitChars: number): string {
  for (let textChars = limitChars; ; textChars = Math.floor(textChars / 2)) {
    const text = messages.flatMap((message) => entries(message, textChars)).join('\n\n');
    if (text.length <= limitChars) return text;
    if (textChars <= leastTextChars) return text.slice(text.length - limitChars);
  }
}

function entries(message: ModelMessage, textChars: number): readonly string[] {
  switch (message.role) {
    case 'user':
      return [
        `User: ${cut(message.text, textChars)}`,
        ...(message.context ?? []).map(({ source, text }) => `Attached, ${source}: ${cut(text, textChars)}`),
      ];
    case 'assistant':
      return [
        ...(message.text === '' ? [] : [`Agent: ${cut(message.text, textChars)}`]),
        ...message.toolCalls.map(
          ({ name, input }) => `Agent calls ${name}: ${cut(JSON.stringify(input ?? null), textChars)}`,
        ),
      ];
    case 'tool':
      return message.results.map(
        ({ name, isError, text }) => `${isError ? 'Failure' : 'Result'} of ${name}: ${cut(text, textChars)}`,
      );
  }
}

function cut(text: string, limitChars: number): string {
  return text.length <= limitChars ? text : `${firstCharacters(text, limitChars)}…`;
}
