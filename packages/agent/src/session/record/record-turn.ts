import type { ContentBlock, StopReason } from '@parley/acp';
import type { PromptContext } from '@parley/acp/unstable';
import { sendNotices } from '../../client/send-notice.ts';
import type { Session } from '../session.ts';
import { titleOf } from '../title-of.ts';

/** The start of a turn. */
export interface TurnBeginning {
  readonly prompt: readonly ContentBlock[];
  /** Whether the prompt is a command: it does not name the session, and does not count as a message. */
  readonly isCommand: boolean;
  readonly context: PromptContext;
}

/** Runs a turn, and stores its start, its end, and the title of the session. */
export async function recordTurn(
  session: Session,
  beginning: TurnBeginning,
  run: () => Promise<StopReason>,
): Promise<StopReason> {
  const { recorder } = session;
  const { context } = beginning;
  // What could not be saved before does not become more.
  await recorder.flush();
  session.isInTurn = true;
  let stopReason: StopReason | undefined;
  let ending: PromiseSettledResult<void> | undefined;
  try {
    await beginTurn(session, beginning);
    stopReason = await run();
  } finally {
    const { usedTokens, costUsd } = session;
    const end = recorder.endTurn(stopReason ?? (context.signal.aborted ? 'cancelled' : 'error'), {
      usedTokens,
      ...(costUsd !== undefined && { costUsd }),
    });
    [ending] = await Promise.allSettled([end]);
    session.isInTurn = false;
    if (stopReason === 'cancelled') session.workplace.jobs.noteCancel();
  }
  // Cancelling is a result, even if something else failed.
  if (ending.status === 'rejected' && stopReason !== 'cancelled') throw ending.reason;
  // That the turn could not be saved is reported during the turn.
  if (!context.signal.aborted) await sendNotices(session, context);
  return stopReason;
}

async function beginTurn(session: Session, { prompt, isCommand, context }: TurnBeginning): Promise<void> {
  const { recorder, hasTurns, opening } = session;
  const isFirst = !hasTurns && !isCommand;
  const title = isFirst && !session.isTitled ? titleOf(prompt) : undefined;
  if (isFirst) {
    session.hasTurns = true;
    recorder.note({ type: 'title', ...(title !== undefined && { title }) });
  }
  recorder.beginTurn(prompt, opening);
  // What is not saved is not begun.
  await recorder.flush();
  if (title === undefined || !recorder.isSaving) return;
  await context.update({ sessionUpdate: 'session_info_update', title, updatedAt: recorder.now() });
}
