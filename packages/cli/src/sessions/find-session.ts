import { realpath } from 'node:fs/promises';
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
  const folders = filter.cwd === undefined ? undefined : await namesOfFolder(filter.cwd, heads);
  return heads.filter(
    ({ start }) =>
      folders?.has(start.cwd) !== false &&
      (filter.agentName === undefined || start.agent === filter.agentName),
  );
}

/** The paths by which sessions have a folder: some may lead through a link. */
async function namesOfFolder(folder: string, heads: readonly SessionHead[]): Promise<ReadonlySet<string>> {
  const realOf = (place: string): Promise<string> => realpath(place).catch(() => place);
  const real = await realOf(folder);
  const places = [...new Set(heads.map(({ start }) => start.cwd))];
  const isSame = await Promise.all(places.map(async (place) => (await realOf(place)) === real));
  return new Set(places.filter((_, index) => isSame[index]));
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
  const found = onlyOf(id, exact.length > 0 ? exact : matching);
  if (found !== undefined) return found;
  throw new CliError('usage', `no session "${id}"; "parley sessions list" lists the stored sessions`);
}

/** The one of these sessions that `parley sessions list` shows under an id; undefined if it shows none. What agents call them is not compared. */
export function listedSession(id: string, heads: readonly SessionHead[]): SessionHead | undefined {
  return onlyOf(
    id,
    heads.filter(({ key }) => key === id || (id.length >= leastCharacters && tailOf(key).startsWith(id))),
  );
}

/** Characters of an id that an agent could hardly have chosen as well. */
const leastCharacters = 4;

/** @throws {CliError} `usage`: an id means several sessions. */
function onlyOf(id: string, found: readonly SessionHead[]): SessionHead | undefined {
  if (found.length <= 1) return found[0];
  const some = found.slice(0, 3).map(({ key }) => key);
  const rest = found.length > some.length ? ', …' : '';
  throw new CliError(
    'usage',
    `"${id}" matches ${String(found.length)} sessions: ${some.join(', ')}${rest}; enter more characters`,
  );
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
