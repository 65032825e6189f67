import { invalidRequest } from '@parley/acp';
import { toNotes, type IndexedSession, type SessionOptions } from '@parley/host';
import type { HubSession } from '@parley/host/hub';
import type { RpcError } from '@parley/wire';

/** What a session continues from. */
export type SessionBasis = Pick<
  SessionOptions,
  'key' | 'cwd' | 'worktree' | 'owner' | 'createdAt' | 'updatedAt' | 'notes' | 'title'
>;

/** What a stored session continues from. */
export function toSessionBasis({ key, head, title, updatedAt, columns }: IndexedSession): SessionBasis {
  const { cwd, worktree, time: createdAt, owner } = head.start;
  return {
    key,
    cwd,
    ...(worktree !== undefined && { worktree }),
    createdAt,
    updatedAt,
    notes: toNotes(columns),
    ...(owner !== undefined && { owner: owner.tokenId }),
    ...(title !== undefined && { title }),
  };
}

/** A session without an agent of ours, as lists show it. */
export function shownAsStored(session: IndexedSession): HubSession {
  const { notes, title: ownTitle, owner: _owner, ...basis } = toSessionBasis(session);
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

/** Why other clients do not steer a session that was begun over AAP. */
export function ownedByApplication(): RpcError {
  return invalidRequest(
    'an application began this session over AAP, and only it sends prompts, answers permission requests and sets options; ' +
      'other clients can follow, cancel and delete it',
  );
}
