import { lstat, realpath } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { readSessionFacts, SessionChanges, type ChangedPath, type SessionHead } from '@parley/host';
import { turnCount } from '@parley/host/state';
import { CliError } from '../cli-error.ts';
import { changesSettings } from '../configuration/changes-settings.ts';
import { readConfiguration } from '../configuration/read-configuration.ts';
import { toPlainLine, toPlainText } from '../output/plain.ts';
import { findSession, findSessions, sessionOf, storeOf } from '../sessions/find-session.ts';
import type { Surroundings } from '../surroundings.ts';
import { readVersion } from '../version.ts';

/** The flags of every command about changes, as typed. */
export interface ChangesFlags {
  readonly cwd?: string;
  readonly json?: boolean;
}

/** The changes of the session that is meant, and the files of it that are. */
export interface FoundChanges {
  readonly changes: SessionChanges;
  readonly head: SessionHead;
  /** Below the session's folder, with slashes. @default all */
  readonly paths?: readonly ChangedPath[];
}

/** Lets the clients of the session see what was done with its changes, where a hub owns it. */
export async function announce({ changes, head }: FoundChanges, { env }: Surroundings): Promise<void> {
  if (!changes.waitsForOwner) return;
  // Loaded for sessions that are open elsewhere.
  const { announceChanges } = await import('../hub/announce-changes.ts');
  await announceChanges(head.key, env);
}

/** The session of an id, else the last one in this folder. @throws {CliError} `usage` */
export async function findChanges(
  id: string | undefined,
  flags: ChangesFlags,
  surroundings: Surroundings,
): Promise<FoundChanges> {
  const head =
    id === undefined ? await lastSession(flags, surroundings) : await findSession(id, surroundings);
  return { head, changes: openChanges(head, surroundings) };
}

/**
 * The same for words that are an id, if the first one is, and paths. A word that names a file, and is not a whole id, is a path.
 *
 * @throws {CliError} `usage`: a word is neither, or a path is not in the session's folder.
 */
export async function findChangedPaths(
  words: readonly string[],
  flags: ChangesFlags,
  surroundings: Surroundings,
): Promise<FoundChanges> {
  const [first] = words;
  if (first === undefined) return findChanges(undefined, flags, surroundings);
  // A variable that is not set would mean the whole folder.
  if (words.includes('')) throw new CliError('usage', 'a path is empty; "." means the whole folder');
  const from = path.resolve(surroundings.cwd, flags.cwd ?? '.');
  const heads = await findSessions({}, surroundings);
  const isWhole = heads.some(({ key, sessionId }) => key === first || sessionId === first);
  if (!isWhole && (isWrittenAsPath(first) || (await exists(path.resolve(from, first))))) {
    return withPaths(await lastSession(flags, surroundings), words, { from, surroundings });
  }
  const named = isWhole || heads.some((head) => isNamedBy(head, first));
  if (named) return withPaths(sessionOf(first, heads), words.slice(1), { from, surroundings });
  // A file that was deleted is named as well.
  const found = await withPaths(await lastSession(flags, surroundings), words, { from, surroundings });
  if (await hasChanged(found, first)) return found;
  throw new CliError(
    'usage',
    `no session or changed file is named ${JSON.stringify(toPlainLine(first))}; parley sessions list shows the sessions`,
  );
}

function openChanges({ key }: SessionHead, surroundings: Surroundings): SessionChanges {
  const { env, stderr } = surroundings;
  const warn = (message: string): void => {
    stderr.write(`parley: ${toPlainText(message)}\n`);
  };
  return new SessionChanges({
    key: () => key,
    onFinished: warn,
    eventLogs: { store: storeOf(surroundings), program: `parley ${readVersion()}` },
    settingsIn: async (cwd) => {
      const configuration = await readConfiguration({
        cwd,
        env,
        warn,
      });
      const machine = surroundings.sessions === undefined ? {} : { machine: hostname() };
      return changesSettings(configuration, env, { folder: cwd, ...machine });
    },
  });
}

/** The session that was written last in a folder, and has a turn. */
async function lastSession({ cwd }: ChangesFlags, surroundings: Surroundings): Promise<SessionHead> {
  const folder = path.resolve(surroundings.cwd, cwd ?? '.');
  const store = storeOf(surroundings);
  for (const head of await findSessions({ cwd: folder }, surroundings)) {
    // What a delegate changed is part of what its parent did.
    if (head.start.parent !== undefined) continue;
    const { state } = await readSessionFacts(store, head);
    if (turnCount(state) > 0) return head;
  }
  throw new CliError(
    'usage',
    `no session with a turn is stored for ${JSON.stringify(toPlainLine(folder, 1000))}; pass the id of a session; "parley sessions list" lists them`,
  );
}

async function withPaths(
  head: SessionHead,
  words: readonly string[],
  { from, surroundings }: { readonly from: string; readonly surroundings: Surroundings },
): Promise<FoundChanges> {
  const changes = openChanges(head, surroundings);
  if (words.length === 0) return { head, changes };
  const { cwd } = head.start;
  const real = await realpath(cwd).catch(() => cwd);
  const paths = await Promise.all(
    words.map(async (word) => {
      const typed = path.resolve(from, word);
      const below = belowOf(cwd, typed) ?? belowOf(real, typed) ?? belowOf(real, await realParent(typed));
      if (below !== undefined) return below.includes(unreadable) ? namedBytes(below, changes) : [below];
      throw new CliError(
        'usage',
        `${JSON.stringify(toPlainLine(word, 1000))} is not in the folder of the session, ${JSON.stringify(toPlainLine(cwd, 1000))}`,
      );
    }),
  );
  return { head, changes, paths: paths.flat() };
}

/** What Node makes of the bytes in a word that are not UTF-8. */
const unreadable = '\u{FFFD}';

/** The changed files, and their folders, that a path with such characters may mean. */
async function namedBytes(below: string, changes: SessionChanges): Promise<readonly ChangedPath[]> {
  const { turns } = await changes.list();
  const depth = below.split('/').length;
  const named = turns
    .flatMap(({ files }) => files.flatMap(({ path: file, oldPath = file }) => [file, oldPath]))
    .flatMap((file) =>
      typeof file === 'string' ? [] : [Buffer.from(file.base64, 'base64').toString('latin1')],
    )
    .map((file) => Buffer.from(file.split('/').slice(0, depth).join('/'), 'latin1'))
    .filter((file) => file.toString() === below)
    .map((file) => file.toString('base64'));
  return [below, ...[...new Set(named)].map((base64) => ({ base64 }))];
}

function belowOf(folder: string, file: string): string | undefined {
  const relative = path.relative(folder, file);
  const isOutside = relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative);
  if (isOutside) return undefined;
  return relative === '' ? '.' : relative.split(path.sep).join('/');
}

/** A path whose folder is not behind a link; the file itself may be one. */
async function realParent(file: string): Promise<string> {
  const parent = path.dirname(file);
  return path.join(await realpath(parent).catch(() => parent), path.basename(file));
}

function isWrittenAsPath(word: string): boolean {
  return word === '.' || word === '..' || word.includes('/') || word.includes(path.sep);
}

async function exists(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  );
}

function isNamedBy(head: SessionHead, word: string): boolean {
  try {
    return sessionOf(word, [head]) === head;
  } catch {
    return false;
  }
}

async function hasChanged({ changes, paths = [] }: FoundChanges, word: string): Promise<boolean> {
  const [named, bytes] = paths;
  if (typeof named !== 'string' || word === '') return false;
  if (typeof bytes === 'object') return true;
  const { turns } = await changes.list();
  return turns.some(({ files }) =>
    files.some(({ path: changed, oldPath }) =>
      [changed, oldPath].some(
        (each) => each === named || (typeof each === 'string' && each.startsWith(`${named}/`)),
      ),
    ),
  );
}
