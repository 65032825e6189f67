import type { ModelRequest } from '../model/model.ts';
import { toInstructions } from './instructions.ts';
import type { Turn } from './turn.ts';

/** What the model of a turn is asked next. */
export function toRequest({ session, instructionFiles, offerTools }: Turn): ModelRequest {
  return {
    instructions: toInstructions(session, instructionFiles),
    messages: session.conversation.messages,
    tools: offerTools(),
  };
}
