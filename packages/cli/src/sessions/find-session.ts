import path from 'node:path';
import { filesStore, type SessionHead, type SessionStore } from '@parley/host';
import { CliError } from '../cli-error.ts';
import { eventLogsFolder } from '../configuration/places.ts';
import { toFileReason } from '../input-file.ts';
import { toPlainLine } from '../output/plain.ts';
import type { Surroundings } from '../surroundings.ts';

/** Which sessions are meant. */
export interface SessionFilter {
  /** The folder of the session, absolute. */
  readonly cwd?: string;
  /** What the agent is called here. */
  readonly agentName?: string;
}

/** What a filter was typed as. */
export interface TypedSessionFilter {
  readonly cwd?: string;
  readonly agentName?: string;
}

/** Reads a filter; a relative folder is against the one the command was started in. */
export function parseSessionFilter(
  { cwd, agentName }: TypedSessionFilter,
  surroundings: Surroundings,
): SessionFilter {
  return {
    ...(cwd !== undefined && { cwd: path.resolve(surroundings.cwd, cwd) }),
    ...(agentName !== undefined && { agentName }),
  };
}

/** Where the sessions of this user are stored. */
export function storeOf({ env, sessions }: Pick<Surroundings, 'env' | 'sessions'>): SessionStore {
  return sessions ?? filesStore(eventLogsFolder(env));
}

/** The kept sessions that a filter lets through, the one that was written last first. */
export async function findSessions(
  filter: SessionFilter,
  surroundings: Surroundings,
): Promise<readonly SessionHead[]> {
  const heads = await keptSessions(surroundings);
  return heads.filter(
    ({ start }) =>
      (filter.cwd === undefined || start.cwd === filter.cwd) &&
      (filter.agentName === undefined || start.agent === filter.agentName),
  );
}

/** The kept session of an id: the beginning of its own id, of its short one, or of what the agent calls it. */
export async function findSession(id: string, surroundings: Surroundings): Promise<SessionHead> {
  return sessionOf(id, await keptSessions(surroundings));
}

/** All of them; one that cannot be read is reported, and hides no other. */
function keptSessions(surroundings: Surroundings): Promise<readonly SessionHead[]> {
  return storeOf(surroundings).list({
    onUnreadable: (name, error) => {
      surroundings.stderr.write(
        `parley: ${toPlainLine(name, 1000)} cannot be read: ${toFileReason(error)}\n`,
      );
    },
  });
}

/** The one of these sessions that an id means. */
export function sessionOf(id: string, heads: readonly SessionHead[]): SessionHead {
  const matching = id === '' ? [] : heads.filter((head) => namesOf(head).some((name) => name.startsWith(id)));
  const exact = matching.filter((head) => namesOf(head).includes(id));
  const found = exact.length > 0 ? exact : matching;
  const [only] = found;
  if (only === undefined) {
    throw new CliError('usage', `no session "${id}"; "parley sessions list" lists the stored sessions`);
  }
  if (found.length > 1) {
    const some = found.slice(0, 3).map(({ key }) => key);
    const rest = found.length > some.length ? ', …' : '';
    throw new CliError(
      'usage',
      `"${id}" matches ${String(found.length)} sessions: ${some.join(', ')}${rest}; enter more characters`,
    );
  }
  return only;
}

/** The part of a session's id that is like no other, short enough to be typed. */
export function shortId(key: string): string {
  return tailOf(key).slice(0, 8);
}

function namesOf({ key, sessionId }: SessionHead): string[] {
  return [key, tailOf(key), ...(sessionId === undefined ? [] : [sessionId])];
}

/** A key is a time and a random number. */
function tailOf(key: string): string {
  return key.slice(key.lastIndexOf('-') + 1);
}
