import type { HubSession } from '@parley/host/hub';
import type { SessionMarks } from '../hub/hub-state.ts';

/** Sessions under one heading, the latest first. */
export interface SessionGroup {
  readonly kind: 'waiting' | 'pinned' | 'folder' | 'archived';
  /** Unique among the groups. */
  readonly id: string;
  /** The end of the folder's path that distinguishes it from the others. */
  readonly name: string;
  readonly sessions: readonly HubSession[];
}

/** The filter for sessions. */
export interface SessionFilter {
  /** Words that are in the title, the agent's name or the folder, in any order. */
  readonly text: string;
  /** @default those of all */
  readonly agent?: string;
}

/** Sessions that need the user's input, then pinned ones, then the others by folder, and archived ones at the end. Delegates follow their parents. */
export function groupSessions(
  sessions: Iterable<HubSession>,
  { filter, marks }: { readonly filter: SessionFilter; readonly marks: SessionMarks },
): readonly SessionGroup[] {
  const groups = new Map<string, { readonly place: Place; readonly members: HubSession[] }>();
  const known = new Map(Array.from(sessions, (session) => [session.key, session]));
  const words = filter.text.toLowerCase().split(/\s+/u);
  for (const session of known.values()) {
    if (filter.agent !== undefined && session.agent !== filter.agent) continue;
    const said = `${session.title ?? ''} ${session.agent} ${session.cwd}`.toLowerCase();
    if (!words.every((word) => said.includes(word))) continue;
    const place = placeOf(begunAbove(session, known), marks);
    const id = `${place.kind}:${place.folder}`;
    const group = groups.get(id);
    if (group === undefined) groups.set(id, { place, members: [session] });
    else group.members.push(session);
  }
  const folders = [...groups.values()].map(({ place }) => place.folder).filter((folder) => folder !== '');
  return [...groups]
    .map(
      ([
        id,
        {
          place: { kind, folder },
          members,
        },
      ]): SessionGroup => ({
        kind,
        id,
        name: folderName(folder, folders),
        sessions: underParents(members.toSorted(byTime)),
      }),
    )
    .toSorted((left, right) => rank(left) - rank(right) || latest(right) - latest(left));
}

/** The first of them, over all groups. */
export function firstSessions(groups: readonly SessionGroup[], length: number): readonly SessionGroup[] {
  const first: SessionGroup[] = [];
  let left = length;
  for (const group of groups) {
    if (left <= 0) break;
    first.push({ ...group, sessions: group.sessions.slice(0, left) });
    left -= group.sessions.length;
  }
  return first;
}

/** The session that a client began, above a delegate. */
function begunAbove(session: HubSession, known: ReadonlyMap<string, HubSession>): HubSession {
  const parent = session.parent === undefined ? undefined : known.get(session.parent);
  return parent === undefined ? session : begunAbove(parent, known);
}

function underParents(sessions: readonly HubSession[]): readonly HubSession[] {
  const below = new Map<string, HubSession[]>();
  const keys = new Set(sessions.map(({ key }) => key));
  const tops: HubSession[] = [];
  for (const session of sessions) {
    const { parent } = session;
    if (parent === undefined || !keys.has(parent)) tops.push(session);
    else below.set(parent, [...(below.get(parent) ?? []), session]);
  }
  const withDelegates = (session: HubSession): readonly HubSession[] => [
    session,
    ...(below.get(session.key) ?? []).flatMap(withDelegates),
  ];
  return below.size === 0 ? sessions : tops.flatMap(withDelegates);
}

/** Which heading a session is under. */
interface Place {
  readonly kind: SessionGroup['kind'];
  /** Empty where the heading is no folder. */
  readonly folder: string;
}

function placeOf({ key, state, questions, origin, cwd }: HubSession, marks: SessionMarks): Place {
  // What waits for an application does not need the user.
  if (origin !== 'aap' && (questions > 0 || state === 'waiting')) return { kind: 'waiting', folder: '' };
  if (marks.pinned.has(key)) return { kind: 'pinned', folder: '' };
  return marks.archived.has(key) ? { kind: 'archived', folder: '' } : { kind: 'folder', folder: cwd };
}

/** The last names of a path, as many as no other of these paths ends in. */
function folderName(folder: string, folders: readonly string[]): string {
  const names = folder.split(/[/\\]/u).filter((name) => name !== '');
  for (let count = 1; count < names.length; count += 1) {
    const end = names.slice(-count).join('/');
    const isOnly = folders.every(
      (other) => other === folder || !`/${other.replaceAll('\\', '/')}`.endsWith(`/${end}`),
    );
    if (isOnly) return end;
  }
  return folder;
}

function rank({ kind }: SessionGroup): number {
  return ['waiting', 'pinned', 'folder', 'archived'].indexOf(kind);
}

function byTime(left: HubSession, right: HubSession): number {
  return right.updatedAt - left.updatedAt;
}

function latest({ sessions: [first] }: SessionGroup): number {
  return first?.updatedAt ?? 0;
}
