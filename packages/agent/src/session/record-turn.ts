import type { ContentBlock, PromptContext, StopReason } from '@parley/acp';
import { tellNotices } from '../client/tell-notice.ts';
import type { Session } from './session.ts';
import { titleOf } from './title-of.ts';

/** Runs a turn, and keeps that it began, how it ended, and what the session is called. */
export async function recordTurn(
  session: Session,
  prompt: readonly ContentBlock[],
  context: PromptContext,
  run: () => Promise<StopReason>,
): Promise<StopReason> {
  const { recorder } = session;
  session.isInTurn = true;
  let stopReason: StopReason | undefined;
  try {
    await beginTurn(session, prompt, context);
    stopReason = await run();
  } finally {
    await recorder.endTurn(
      stopReason ?? (context.signal.aborted ? 'cancelled' : 'error'),
      session.usedTokens,
    );
    session.isInTurn = false;
  }
  // That the turn could not be saved is told while it is there.
  if (!context.signal.aborted) await tellNotices(session, context);
  return stopReason;
}

async function beginTurn(
  session: Session,
  prompt: readonly ContentBlock[],
  context: PromptContext,
): Promise<void> {
  const { recorder, hasTurns, opening } = session;
  session.hasTurns = true;
  const title = hasTurns ? undefined : titleOf(prompt);
  if (!hasTurns) recorder.note({ type: 'title', ...(title !== undefined && { title }) });
  recorder.beginTurn(prompt, opening);
  if (title === undefined || !recorder.isSaving) return;
  await context.update({ sessionUpdate: 'session_info_update', title, updatedAt: recorder.now() });
}
