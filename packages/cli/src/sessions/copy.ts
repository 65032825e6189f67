import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { SessionStore } from '@parley/host';
import type { PostgresStore } from '@parley/postgres';
import { CliError } from '../cli-error.ts';
import { exitStatus } from '../exit-status.ts';
import { copySession, type Copied } from '../store/copy-session.ts';
import { copiedSessions, storesIn } from '../store/folder-stores.ts';
import { openDatabase } from '../store/open-database.ts';
import { parseStore, type StorePlace } from '../store/parse-store.ts';
import type { Surroundings } from '../surroundings.ts';
import { shortId } from './find-session.ts';

/** The flags of `parley sessions copy`, as typed. */
export interface TypedCopyFlags {
  readonly from?: string;
  readonly to?: string;
  readonly json?: boolean;
}

/** `parley sessions copy`: copies all event logs of a store to another one. */
export async function copySessions(
  { from: typedFrom, to: typedTo, json = false }: TypedCopyFlags,
  surroundings: Surroundings,
): Promise<number> {
  const { stdout, stderr, env } = surroundings;
  const from = placeOf('--from', typedFrom, surroundings);
  const to = placeOf('--to', typedTo, surroundings);
  const databases: PostgresStore[] = [];
  const open = async (url: string): Promise<SessionStore> => {
    const database = await openDatabase(url, surroundings);
    databases.push(database);
    return database;
  };
  const found: Record<Copied, string[]> = { copied: [], same: [], differs: [], open: [] };
  try {
    const sources = from.kind === 'database' ? [await open(from.url)] : await storesIn(from.folder, env);
    if (sources.length === 0) {
      throw new CliError('usage', `--from ${String(typedFrom)}: no sessions are stored there`);
    }
    const target = to.kind === 'database' ? await open(to.url) : copiedSessions(to.folder);
    for (const source of sources) {
      for (const { key } of await source.list()) found[await copySession(key, source, target)].push(key);
    }
  } finally {
    await Promise.all(databases.map((database) => database[Symbol.asyncDispose]()));
  }
  // What lists of applications show is read anew from the event logs.
  if (to.kind === 'folder') await rm(path.join(to.folder, 'heads.jsonl'), { force: true });
  if (json) stdout.write(`${JSON.stringify(found)}\n`);
  else stdout.write(`Copied ${count(found.copied)}; ${String(found.same.length)} already existed.\n`);
  if (found.differs.length > 0) {
    stderr.write(`parley: other events are stored there, not overwritten: ${names(found.differs)}\n`);
  }
  if (found.open.length > 0) {
    stderr.write(
      `parley: a process is writing to them, not copied: ${names(found.open)}; end it and copy again\n`,
    );
  }
  return found.differs.length + found.open.length > 0 ? exitStatus.refused : exitStatus.done;
}

function placeOf(flag: string, typed: string | undefined, { cwd }: Surroundings): StorePlace {
  const place = parseStore(typed, { cwd, env: {} });
  if (place !== undefined) return place;
  throw new CliError('usage', `sessions copy: ${flag} is missing; name a folder or a database`);
}

function count(keys: readonly string[]): string {
  return `${String(keys.length)} ${keys.length === 1 ? 'session' : 'sessions'}`;
}

/** The first of them. */
function names(keys: readonly string[]): string {
  const rest = keys.length > mostNamed ? ` and ${String(keys.length - mostNamed)} more` : '';
  return `${keys.slice(0, mostNamed).map(shortId).join(', ')}${rest}`;
}

const mostNamed = 10;
