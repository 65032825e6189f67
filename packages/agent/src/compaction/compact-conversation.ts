import { AgentError } from '../agent-error.ts';
import { estimateRequest } from '../model/estimate-tokens.ts';
import { sendUsage } from '../turn/send-usage.ts';
import { toRequest } from '../turn/to-request.ts';
import type { Turn } from '../turn/turn.ts';
import { compactMessages } from './compact-messages.ts';
import type { Compaction } from './compact-messages.ts';
import { summarize } from './summarize.ts';
import type { SummarizeOptions } from './summarize.ts';

/** Options of a compaction. */
export interface CompactOptions extends Pick<Compaction, 'kept' | 'keepsPrompt'> {
  /** What the summary should focus on. */
  readonly focus?: string;
  /** Characters that the window has room for. */
  readonly roomChars: number;
}

/** How a compaction ended; a cancelled one ends with the error of its signal. */
export type CompactionOutcome =
  | { readonly status: 'completed' }
  | { readonly status: 'failed'; readonly reason: string };

/** Replaces the older part of a conversation with a summary, and reports the progress to the client. */
export async function compactConversation(turn: Turn, options: CompactOptions): Promise<CompactionOutcome> {
  const { conversation, client } = turn;
  const compactionId = conversation.createCompactionId();
  await client.update({ sessionUpdate: 'compaction_update', compactionId, status: 'in_progress' });
  let text: string;
  try {
    text = await summarize(turn, {
      ...toSummarize(turn, options),
      onText: (piece) =>
        client.update({
          sessionUpdate: 'compaction_summary_chunk',
          compactionId,
          content: { type: 'text', text: piece },
        }),
    });
  } catch (error) {
    if (client.signal.aborted) {
      await client.update({ sessionUpdate: 'compaction_update', compactionId, status: 'cancelled' });
      throw error;
    }
    const reason = error instanceof AgentError ? error.message : 'The model failed';
    await client.update({
      sessionUpdate: 'compaction_update',
      compactionId,
      status: 'failed',
      error: reason,
    });
    return { status: 'failed', reason };
  }
  replace(turn, { ...toCompaction(options), summary: { compactionId, text } });
  await conversation.recorder.endStep();
  await client.update({ sessionUpdate: 'compaction_update', compactionId, status: 'completed' });
  await sendUsage(turn);
  return { status: 'completed' };
}

/** Drops the older part of a conversation, because it could not be summarized. */
export async function forgetOlder(turn: Turn, options: CompactOptions): Promise<void> {
  replace(turn, toCompaction(options));
  await turn.conversation.recorder.endStep();
  await turn.client.notify(turn.conversation.createMessageId(), {
    title: 'The older part of the conversation is forgotten',
    description:
      'The conversation is too long for the model and could not be summarized. Files are not affected.',
  });
  await sendUsage(turn);
}

function replace(turn: Turn, compaction: Compaction): void {
  const { transcript } = turn.conversation;
  const messages = compactMessages(transcript.messages, compaction);
  // An estimate, until the model counts again.
  const usedTokens = estimateRequest({ ...toRequest(turn), messages });
  transcript.compact(compaction, usedTokens);
}

function toCompaction({ kept, keepsPrompt }: CompactOptions): Compaction {
  return { kept, keepsPrompt };
}

/** A summary, and what is read for it, have to fit into the window themselves. */
const summaryShare = 0.1;
const readShare = 0.6;

function toSummarize(
  { conversation, limits }: Turn,
  { kept, focus, roomChars }: CompactOptions,
): Omit<SummarizeOptions, 'onText'> {
  const { messages } = conversation.transcript;
  return {
    messages: messages.slice(0, messages.length - kept),
    readChars: Math.floor(roomChars * readShare),
    limitChars: Math.min(limits.summaryChars, Math.floor(roomChars * summaryShare)),
    ...(focus !== undefined && { focus }),
  };
}
