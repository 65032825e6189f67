import type { HeldBy, SessionHead, SessionWorktree, StoredSession } from '@parley/host';
import { turnCount, type SessionFacts, type SessionPhase } from '@parley/host/state';
import { toFileReason } from '../input-file.ts';
import type { Surroundings } from '../surroundings.ts';
import { shortId } from './find-session.ts';

/** What a list says of a kept session; the fields of `--json`. */
export interface SessionSummary {
  readonly id: string;
  /** What the agent calls it; `parley run --session` takes it. */
  readonly sessionId?: string;
  readonly agent: string;
  readonly title?: string;
  readonly cwd: string;
  readonly worktree?: SessionWorktree;
  /** The id of the session that it is a delegate of. */
  readonly parent?: string;
  readonly sandbox?: HeldBy;
  /**
   * `interrupted`: the program that kept the session was ended in the middle of a turn. `unreadable`: its event log, or
   * the rest of it, could not be read.
   */
  readonly state: SessionPhase | 'interrupted' | 'unreadable';
  readonly turns: number;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly updatedAt: string;
  /** The process that has it open. */
  readonly pid?: number;
}

/** What is said of a session, from its event log. */
export function toSummary({ key, start }: SessionHead, session: StoredSession<SessionFacts>): SessionSummary {
  const { state, title, owner } = session;
  return {
    id: key,
    ...(state.sessionId !== undefined && { sessionId: state.sessionId }),
    agent: start.agent,
    ...(title !== undefined && { title }),
    cwd: state.cwd ?? start.cwd,
    ...placeIn(start),
    ...(state.sandbox !== undefined && { sandbox: state.sandbox }),
    state: stateOf(session),
    turns: turnCount(state),
    startedAt: new Date(state.startedAt).toISOString(),
    updatedAt: new Date(session.updatedAt).toISOString(),
    ...(owner?.pid !== undefined && { pid: owner.pid }),
  };
}

/** What is known of a session whose event log says no more than how it begins. */
export function toFirstSummary({ key, start, sessionId, updatedAt }: SessionHead): SessionSummary {
  return {
    id: key,
    ...(sessionId !== undefined && { sessionId }),
    agent: start.agent,
    cwd: start.cwd,
    ...placeIn(start),
    state: 'unreadable',
    turns: 0,
    startedAt: new Date(start.time).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  };
}

function placeIn({ worktree, parent }: SessionHead['start']): Pick<SessionSummary, 'worktree' | 'parent'> {
  return { ...(worktree !== undefined && { worktree }), ...(parent !== undefined && { parent }) };
}

/** Says why a session, or the rest of it, cannot be read. */
export function reportUnreadable({ key }: SessionHead, failure: unknown, { stderr }: Surroundings): void {
  stderr.write(`parley: session ${shortId(key)} cannot be read completely: ${toFileReason(failure)}\n`);
}

function stateOf({ state, owner, failure }: StoredSession<SessionFacts>): SessionSummary['state'] {
  if (failure !== undefined) return 'unreadable';
  const { phase, lastTurn } = state;
  const wasLeft = owner === undefined && lastTurn?.state === 'unknown';
  return wasLeft && phase === 'closed' ? 'interrupted' : phase;
}
