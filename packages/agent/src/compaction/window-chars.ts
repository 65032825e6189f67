import { countAllCharacters, estimateRequest, estimateTokens, tokenChars } from '../model/estimate-tokens.ts';
import { toRequest } from '../turn/to-request.ts';
import type { Turn } from '../turn/turn.ts';

/** The number of characters of this conversation that fit into a number of tokens, based on the model's last count. */
export function windowChars(turn: Turn, windowTokens: number): number {
  const { conversation } = turn;
  const chars = countAllCharacters(conversation.transcript.messages);
  // What the model counts includes its instructions.
  const instructions = estimateRequest({ ...toRequest(turn), messages: [] });
  const counted = conversation.usedTokens - instructions;
  const tokens = counted > 0 ? counted : estimateTokens(conversation.transcript.messages);
  // A token of Chinese is a character, one of English four.
  const charsPerToken = tokens <= 0 ? tokenChars : Math.min(tokenChars, chars / tokens);
  return Math.floor(windowTokens * Math.max(charsPerToken, leastTokenChars));
}

/** Smallest estimate for the characters of a token. */
const leastTokenChars = 0.5;
