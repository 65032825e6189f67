import { countCharacters } from '../model/estimate-tokens.ts';
import type { ModelMessage } from '../model/model.ts';

/** The replacement for the older part of a conversation, and the part that stays. */
export interface Compaction {
  /** Absent if the older part is dropped without a summary. */
  readonly summary?: {
    /** The id that the client knows it by. */
    readonly compactionId: string;
    readonly text: string;
  };
  /** So many messages at the end stay as they are. */
  readonly kept: number;
  /** Whether the last prompt stays too, although it is older than the other messages. */
  readonly keepsPrompt: boolean;
}

/** The first words of a summary, for the model. */
export const summaryHead = 'Summary of all that was said and done in this session until here:';

/** The conversation after a compaction. Each call has its result, and each result its call, as before. */
export function compactMessages(
  messages: readonly ModelMessage[],
  { summary, kept, keepsPrompt }: Compaction,
): ModelMessage[] {
  let from = Math.max(0, messages.length - kept);
  // The count is of another time where a damaged log was read: a result is not kept without its call.
  while (messages[from]?.role === 'tool') from += 1;
  const prompt = keepsPrompt ? messages.slice(0, from).findLast(({ role }) => role === 'user') : undefined;
  const tail = messages.slice(from);
  const hasPrompt = prompt === undefined || tail.some(({ role }) => role === 'user');
  const rest = hasPrompt ? tail : [prompt, ...tail];
  return summary === undefined ? rest : [...toMessages(summary.text, rest[0]), ...rest];
}

/** How many messages at the end have no more characters than this; a result is not counted without its call. */
export function countRecent(messages: readonly ModelMessage[], limitChars: number): number {
  let chars = 0;
  let recent = 0;
  for (const [index, message] of messages.toReversed().entries()) {
    chars += countCharacters(message);
    if (chars > limitChars) break;
    if (message.role !== 'tool') recent = index + 1;
  }
  return recent;
}

/** A prompt, and an answer to it unless one follows: each provider takes prompts and answers by turns. */
function toMessages(summary: string, next: ModelMessage | undefined): readonly ModelMessage[] {
  const prompt: ModelMessage = { role: 'user', text: `${summaryHead}\n\n${summary}` };
  const answer: ModelMessage = {
    role: 'assistant',
    text: 'Understood; I will continue from there.',
    toolCalls: [],
  };
  return next?.role === 'assistant' ? [prompt] : [prompt, answer];
}
