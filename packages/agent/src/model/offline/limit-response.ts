import { firstCharacters } from '../../first-characters.ts';
import { tokenChars } from '../estimate-tokens.ts';
import type { ModelPart } from '../model.ts';

/** Stops a response with `length` where its text has more tokens than this. */
export async function* limitResponse(
  parts: AsyncIterable<ModelPart>,
  maxTokens: number,
): AsyncGenerator<ModelPart, void, undefined> {
  let roomChars = maxTokens * tokenChars;
  for await (const part of parts) {
    const { part: single, times } = part.type === 'repeat' ? part : { part, times: 1 };
    if (single.type !== 'text' && single.type !== 'thought') {
      yield part;
      continue;
    }
    const { text } = single;
    if (text.length * times <= roomChars) {
      roomChars -= text.length * times;
      yield part;
      continue;
    }
    const whole = Math.floor(roomChars / text.length);
    const rest = firstCharacters(text, roomChars - whole * text.length);
    if (whole > 0) yield { type: 'repeat', times: whole, part: single };
    if (rest !== '') yield { ...single, text: rest };
    yield { type: 'stop', reason: 'length' };
    return;
  }
}
