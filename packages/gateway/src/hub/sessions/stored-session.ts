import { toNotes, type IndexedSession, type SessionOptions } from '@parley/host';
import type { HubSession } from '@parley/host/hub';

/** What a session continues from. */
export type SessionBasis = Pick<
  SessionOptions,
  'key' | 'parent' | 'cwd' | 'worktree' | 'sandbox' | 'owner' | 'createdAt' | 'updatedAt' | 'notes' | 'title'
>;

/** What a stored session continues from. */
export function toSessionBasis({ key, head, title, updatedAt, columns }: IndexedSession): SessionBasis {
  const { cwd, worktree, sandbox, parent, time: createdAt, owner } = head.start;
  return {
    key,
    ...(parent !== undefined && { parent }),
    cwd,
    ...(worktree !== undefined && { worktree }),
    ...(sandbox !== undefined && { sandbox }),
    createdAt,
    updatedAt,
    notes: toNotes(columns),
    ...(owner !== undefined && { owner: owner.tokenId }),
    ...(title !== undefined && { title }),
  };
}

/** A session without an agent of ours, as lists show it. */
export function shownAsStored(session: IndexedSession): HubSession {
  const { notes, title: ownTitle, owner: _owner, sandbox: _choice, ...basis } = toSessionBasis(session);
  const { agent, origin } = session.head.start;
  const title = notes.title ?? ownTitle;
  return {
    ...basis,
    agent,
    ...(origin !== undefined && { origin }),
    ...(title !== undefined && { title }),
    state: session.isElsewhere ? 'elsewhere' : 'kept',
    questions: 0,
    queue: notes.queue,
    ...(notes.queue.length > 0 && { isQueueHeld: true }),
  };
}
