import type { HubSession } from '@parley/host/hub';

/** Under which heading sessions are listed. */
export type SessionGroupName = 'waiting' | 'active' | 'today' | 'yesterday' | 'week' | 'earlier';

/** Sessions under one heading, those where something happened last first. */
export interface SessionGroup {
  readonly name: SessionGroupName;
  readonly sessions: readonly HubSession[];
}

/** Which sessions are wanted. */
export interface SessionFilter {
  /** Words that are in the title, the agent's name or the folder, in any order. */
  readonly text: string;
  /** @default those of all */
  readonly agent?: string;
}

const order: readonly SessionGroupName[] = ['waiting', 'active', 'today', 'yesterday', 'week', 'earlier'];

/** The sessions that are wanted, those that wait for the user first. Headings without sessions are left out. */
export function groupSessions(
  sessions: Iterable<HubSession>,
  { now, filter }: { readonly now: number; readonly filter: SessionFilter },
): readonly SessionGroup[] {
  const groups = new Map<SessionGroupName, HubSession[]>();
  const words = filter.text.toLowerCase().split(/\s+/u);
  for (const session of sessions) {
    if (filter.agent !== undefined && session.agent !== filter.agent) continue;
    const said = `${session.title ?? ''} ${session.agent} ${session.cwd}`.toLowerCase();
    if (!words.every((word) => said.includes(word))) continue;
    const name = groupOf(session, now);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [session]);
    else group.push(session);
  }
  return order.flatMap((name) => {
    const members = groups.get(name);
    if (members === undefined) return [];
    return [{ name, sessions: members.toSorted((left, right) => right.updatedAt - left.updatedAt) }];
  });
}

/** The first of them, over all groups. */
export function firstSessions(groups: readonly SessionGroup[], length: number): readonly SessionGroup[] {
  const first: SessionGroup[] = [];
  let left = length;
  for (const { name, sessions } of groups) {
    if (left <= 0) break;
    first.push({ name, sessions: sessions.slice(0, left) });
    left -= sessions.length;
  }
  return first;
}

function groupOf({ state, questions, updatedAt, origin }: HubSession, now: number): SessionGroupName {
  // What waits for an application waits for no user.
  const isWaiting = questions > 0 || state === 'waiting';
  if (isWaiting) return origin === 'aap' ? 'active' : 'waiting';
  if (state === 'running' || state === 'starting' || state === 'stopping') return 'active';
  const days = daysBetween(updatedAt, now);
  if (days <= 0) return 'today';
  if (days === 1) return 'yesterday';
  return days < 7 ? 'week' : 'earlier';
}

/** By the calendar of the user: what was before midnight was yesterday. */
function daysBetween(earlier: number, later: number): number {
  const start = (time: number): number => {
    const date = new Date(time);
    return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
  };
  return Math.round((start(later) - start(earlier)) / 86_400_000);
}
