import {
  toNotes,
  type LoggedEvent,
  type Session,
  type SessionStore,
  type SharedEventLogs,
} from '@parley/host';
import type { HubSession } from '@parley/host/hub';
import type { ApplicationSessions } from '../application-sessions.ts';
import type { SteeredSessions } from '../sessions/steered-sessions.ts';

/** A hub, as far as its replicas need it. */
export interface ReplicatedHub {
  readonly options: {
    readonly workspaces: readonly string[];
    readonly eventLogs: SharedEventLogs;
    readonly applications?: Pick<ApplicationSessions, 'takeOver' | 'lose'>;
    readonly onFault?: (error: unknown) => void;
  };
  readonly store: SessionStore;
  readonly steered: SteeredSessions;
  session(key: string): HubSession | undefined;
  /** Reads again what the store has of a session. Never rejects. */
  find(key: string): Promise<void>;
  steer(key: string): Promise<Session>;
  isOfApplication(key: string): Promise<boolean>;
}

/**
 * Takes over a session whose owner has ended: resumes its agent session, and its queue unless a user had paused it. The
 * session of a delegate ended with the agent that it worked for, and is only closed.
 */
export async function takeOver(table: ReplicatedHub, key: string): Promise<void> {
  if (await table.isOfApplication(key)) {
    await table.options.applications?.takeOver(key);
    return;
  }
  const { eventLogs } = table.options;
  const head = await eventLogs.store.head(key);
  if (head?.start.parent !== undefined) {
    // Opening it appends that its turn was interrupted.
    const eventLog = await eventLogs.use(key, { start: head.start });
    return eventLog.close();
  }
  const { queue, isQueueHeld } = toNotes(await table.store.columns(key));
  const session = await table.steer(key);
  if (queue.length > 0 && isQueueHeld !== true) session.turns.change({ kind: 'go-on' });
  await session.open();
}

/** Appends a remark to a session that no replica can run, unless it is the last event already. */
export async function appendRemark(table: ReplicatedHub, key: string, message: string): Promise<void> {
  const { eventLogs } = table.options;
  const head = await eventLogs.store.head(key);
  if (head === undefined) return;
  const last: LoggedEvent[] = [];
  const eventLog = await eventLogs.use(key, {
    start: head.start,
    onEvent: (event) => {
      if (event.type !== 'interruption') last[0] = event;
    },
  });
  const isSaid = last.some((event) => event.type === 'diagnostic' && event.code === remarkCode);
  if (!isSaid) eventLog.append({ type: 'diagnostic', level: 'warning', code: remarkCode, message });
  await eventLog.close();
}

const remarkCode = 'no-machine';

/** The command by which another replica takes over a session that this one had. */
export function toContinue(sessionId: string): object {
  return { method: 'continue', params: { sessionId } };
}
