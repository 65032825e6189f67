import type { PromptContext } from '@parley/acp';
import type { TurnClient } from '../turn/turn.ts';
import { askUser } from './ask-user.ts';

/** The client of one prompt, as its turn sees it. */
export function toTurnClient(context: PromptContext): TurnClient {
  const { client, signal, sessionId } = context;
  return {
    signal,
    update: (update) => context.update(update),
    requestPermission: async (toolCall, options) => {
      const { outcome } = await client.request('session/request_permission', {
        sessionId,
        toolCall,
        options,
      });
      return outcome;
    },
    askUser: (toolCallId, question) => askUser(client, { sessionId, toolCallId, question }, signal),
  };
}
