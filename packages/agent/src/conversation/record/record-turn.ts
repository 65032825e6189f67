import type { ContentBlock, StopReason } from '@parley/acp';
import type { PromptContext } from '@parley/acp/unstable';
import { sendNotices } from '../../client/send-notice.ts';
import type { Conversation } from '../conversation.ts';
import { titleOf } from '../title-of.ts';

/** The start of a turn. */
export interface TurnBeginning {
  readonly prompt: readonly ContentBlock[];
  /** Whether the prompt is a command: it does not name the conversation, and does not count as a message. */
  readonly isCommand: boolean;
  readonly context: PromptContext;
}

/** Runs a turn, and stores its start, its end, and the title of the conversation. */
export async function recordTurn(
  conversation: Conversation,
  beginning: TurnBeginning,
  run: () => Promise<StopReason>,
): Promise<StopReason> {
  const { recorder } = conversation;
  const { context } = beginning;
  // What could not be saved before does not become more.
  await recorder.flush();
  conversation.isInTurn = true;
  let stopReason: StopReason | undefined;
  let ending: PromiseSettledResult<void> | undefined;
  try {
    await beginTurn(conversation, beginning);
    stopReason = await run();
  } finally {
    const { usedTokens, costUsd } = conversation;
    const end = recorder.endTurn(stopReason ?? (context.signal.aborted ? 'cancelled' : 'error'), {
      usedTokens,
      ...(costUsd !== undefined && { costUsd }),
    });
    [ending] = await Promise.allSettled([end]);
    conversation.isInTurn = false;
    if (stopReason === 'cancelled') conversation.workplace.jobs.noteCancel();
  }
  // Cancelling is a result, even if something else failed.
  if (ending.status === 'rejected' && stopReason !== 'cancelled') throw ending.reason;
  // That the turn could not be saved is reported during the turn.
  if (!context.signal.aborted) await sendNotices(conversation, context);
  return stopReason;
}

async function beginTurn(
  conversation: Conversation,
  { prompt, isCommand, context }: TurnBeginning,
): Promise<void> {
  const { recorder, hasTurns, opening } = conversation;
  const isFirst = !hasTurns && !isCommand;
  const title = isFirst && !conversation.isTitled ? titleOf(prompt) : undefined;
  if (isFirst) {
    conversation.hasTurns = true;
    recorder.note({ type: 'title', ...(title !== undefined && { title }) });
  }
  recorder.beginTurn(prompt, opening);
  // What is not saved is not begun.
  await recorder.flush();
  if (title === undefined || !recorder.isSaving) return;
  await context.update({ sessionUpdate: 'session_info_update', title, updatedAt: recorder.now() });
}
