import { compactConversation } from '../compaction/compact-conversation.ts';
import { windowChars } from '../compaction/window-chars.ts';
import type { Command } from './command.ts';

/** `/compact`: a summary takes the place of the whole conversation. */
export const compactCommand: Command = {
  name: 'compact',
  description: 'Replace the conversation with a summary, to free space',
  hint: '[WHAT TO KEEP]',
  run: async (argument, turn) => {
    const { conversation } = turn;
    if (conversation.transcript.messages.length === 0) return 'There is no conversation to compact yet.';
    const outcome = await compactConversation(turn, {
      kept: 0,
      keepsPrompt: false,
      roomChars: windowChars(turn, conversation.model.contextSize),
      ...(argument !== '' && { focus: argument }),
    });
    return outcome.status === 'completed'
      ? `The conversation was compacted: the model reads a summary of it, about ${conversation.usedTokens.toLocaleString('en-US')} tokens with its instructions.`
      : `The conversation was not changed: ${outcome.reason}.`;
  },
};
