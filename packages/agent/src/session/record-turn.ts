import type { ContentBlock, StopReason } from '@parley/acp';
import type { PromptContext } from '@parley/acp/unstable';
import { tellNotices } from '../client/tell-notice.ts';
import type { Session } from './session.ts';
import { titleOf } from './title-of.ts';

/** What a turn begins with. */
export interface TurnBeginning {
  readonly prompt: readonly ContentBlock[];
  /** Whether the prompt is a command: it names no session, and in a session that has none but these nothing was said. */
  readonly isCommand: boolean;
  readonly context: PromptContext;
}

/** Runs a turn, and keeps that it began, how it ended, and what the session is called. */
export async function recordTurn(
  session: Session,
  beginning: TurnBeginning,
  run: () => Promise<StopReason>,
): Promise<StopReason> {
  const { recorder } = session;
  const { context } = beginning;
  session.isInTurn = true;
  let stopReason: StopReason | undefined;
  try {
    await beginTurn(session, beginning);
    stopReason = await run();
  } finally {
    const { usedTokens, costUsd } = session;
    await recorder.endTurn(stopReason ?? (context.signal.aborted ? 'cancelled' : 'error'), {
      usedTokens,
      ...(costUsd !== undefined && { costUsd }),
    });
    session.isInTurn = false;
    if (stopReason === 'cancelled') session.workplace.jobs.noteCancel();
  }
  // That the turn could not be saved is told while it is there.
  if (!context.signal.aborted) await tellNotices(session, context);
  return stopReason;
}

async function beginTurn(session: Session, { prompt, isCommand, context }: TurnBeginning): Promise<void> {
  const { recorder, hasTurns, opening } = session;
  const isFirst = !hasTurns && !isCommand;
  const title = isFirst ? titleOf(prompt) : undefined;
  if (isFirst) {
    session.hasTurns = true;
    recorder.note({ type: 'title', ...(title !== undefined && { title }) });
  }
  recorder.beginTurn(prompt, opening);
  if (title === undefined || !recorder.isSaving) return;
  await context.update({ sessionUpdate: 'session_info_update', title, updatedAt: recorder.now() });
}
