import type { ModelRequest } from '../model/model.ts';
import { toInstructions } from './instructions.ts';
import type { Turn } from './turn.ts';

/** The next request to the model. */
export function toRequest({ session, workplace, instructionFiles, offerTools }: Turn): ModelRequest {
  return {
    instructions: toInstructions(session, instructionFiles, workplace.sandbox),
    messages: session.conversation.messages,
    tools: offerTools(),
  };
}
