import { countAllCharacters, estimateRequest, tokenChars } from '../model/estimate-tokens.ts';
import { toRequest } from '../turn/to-request.ts';
import type { Turn } from '../turn/turn.ts';

/** How many characters of this conversation fit into so many tokens, going by what the model counted. */
export function windowChars(turn: Turn, windowTokens: number): number {
  const { session } = turn;
  const chars = countAllCharacters(session.conversation.messages);
  // What the model counts includes its instructions.
  const instructions = estimateRequest({ ...toRequest(turn), messages: [] });
  const tokens = session.usedTokens - instructions;
  // A token of Chinese is a character, one of English four.
  const charsPerToken = tokens <= 0 ? tokenChars : Math.min(tokenChars, chars / tokens);
  return Math.floor(windowTokens * Math.max(charsPerToken, leastTokenChars));
}

const leastTokenChars = 0.5;
