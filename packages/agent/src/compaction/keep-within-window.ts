import { countAllCharacters, estimateRequest } from '../model/estimate-tokens.ts';
import { toRequest } from '../turn/to-request.ts';
import type { Turn } from '../turn/turn.ts';
import { compactConversation, forgetOlder } from './compact-conversation.ts';
import type { CompactOptions } from './compact-conversation.ts';
import { compactMessages, countRecent } from './compact-messages.ts';
import { windowChars } from './window-chars.ts';

/** Compacts the conversation before a request, if the context is nearly full. */
export async function keepWithinWindow(turn: Turn): Promise<void> {
  const { conversation, limits } = turn;
  const { contextSize } = conversation.model;
  if (conversation.usedTokens <= contextSize * limits.compactionShare) return;
  const plan = planFor(turn, contextSize);
  if (plan !== undefined) await makeRoom(turn, plan);
}

/** Compacts the conversation after a provider rejected it as too long; false if nothing can be removed. */
export async function makeRoomAfterOverflow(turn: Turn): Promise<boolean> {
  const { conversation } = turn;
  // The window is smaller than we know, or we count too little, or the model does.
  const tooMany = Math.max(conversation.usedTokens, estimateRequest(toRequest(turn)));
  const plan = planFor(turn, Math.min(conversation.model.contextSize, tooMany) / 2);
  if (plan === undefined) return false;
  await makeRoom(turn, plan);
  return true;
}

async function makeRoom(turn: Turn, plan: CompactOptions): Promise<void> {
  const { status } = await compactConversation(turn, plan);
  if (status === 'failed') await forgetOlder(turn, plan);
}

/** Share of the context window that must be old for a compaction to be useful. */
const leastShare = 0.2;

/** Divides the conversation for a context of this size; undefined if too little could be removed. */
function planFor(turn: Turn, windowTokens: number): CompactOptions | undefined {
  const { messages } = turn.conversation.transcript;
  const roomChars = windowChars(turn, windowTokens);
  const kept = countRecent(messages, roomChars * turn.limits.keptShare);
  const plan = { kept, keepsPrompt: true };
  const stays = countAllCharacters(compactMessages(messages, plan));
  const goes = countAllCharacters(messages) - stays;
  return goes > roomChars * leastShare ? { ...plan, roomChars } : undefined;
}
