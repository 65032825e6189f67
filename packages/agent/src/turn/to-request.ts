import type { ModelRequest } from '../model/model.ts';
import { toInstructions } from './instructions.ts';
import type { Turn } from './turn.ts';

/** The next request to the model. */
export function toRequest({ conversation, workplace, instructionFiles, offerTools }: Turn): ModelRequest {
  return {
    instructions: toInstructions(conversation, instructionFiles, workplace.sandbox),
    messages: conversation.transcript.messages,
    tools: offerTools(),
  };
}
