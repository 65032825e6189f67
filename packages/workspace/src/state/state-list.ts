import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { refusal, toWorkspaceError } from '../error.ts';
import { readNamedFile } from '../files/read-named-file.ts';
import { replaceFile } from '../files/replace-file.ts';
import { awaitLock } from '../log/lock.ts';
import { readPrivateFile } from './read-private-file.ts';

/** A short list that outlives the program, in a JSON file that only its owner may read. */
export interface StateList<Entry> {
  /** What is in it now; nothing where there is no file. */
  read(): Promise<readonly Entry[]>;
  /** Replaces what is in it, at one stroke; what other processes change at the same time is not lost. */
  change(change: (entries: readonly Entry[]) => readonly Entry[]): Promise<readonly Entry[]>;
}

/** How the entries of a list are read: undefined for what is none. */
export type EntryParser<Entry> = (value: unknown) => Entry | undefined;

/** How a list is read. */
export interface StateListOptions {
  /** Refuses a file that other users may read or write, or that is a link. @default false */
  readonly isPrivate?: boolean;
  /**
   * Reads over entries that the parser does not know, such as those of another version; the next change removes them. Only for lists
   * where a missing entry grants no further rights. @default false: a file with such an entry is damaged
   */
  readonly skipsUnknown?: boolean;
}

/** A list in this file; neither the file nor its folder need to be there. */
export function stateList<Entry>(
  file: string,
  parse: EntryParser<Entry>,
  { isPrivate = false, skipsUnknown = false }: StateListOptions = {},
): StateList<Entry> {
  const read = async (): Promise<readonly Entry[]> => {
    try {
      const text = isPrivate ? await readPrivateFile(file, { maxBytes: mostBytes }) : await readText(file);
      return parseEntries(text, file, { parse, skipsUnknown });
    } catch (error) {
      const known = toWorkspaceError(error, 'read', file);
      if (known.code === 'not-found') return [];
      throw known;
    }
  };
  return {
    read,
    async change(change) {
      const release = await lock(`${file}.lock`);
      try {
        const entries = change(await read());
        await replace(file, `${JSON.stringify({ version, entries }, undefined, 2)}\n`);
        return entries;
      } finally {
        await release();
      }
    },
  };
}

const version = 1;

/** The largest file that is read. */
const mostBytes = 16 * 1024 * 1024;

/** How long another process may take to change the list. */
const lockMs = 5000;

async function readText(file: string): Promise<string> {
  const bytes = await readNamedFile(file, { maxBytes: mostBytes });
  return bytes.toString('utf8');
}

function parseEntries<Entry>(
  text: string,
  file: string,
  { parse, skipsUnknown }: { readonly parse: EntryParser<Entry>; readonly skipsUnknown: boolean },
): readonly Entry[] {
  const damaged = refusal('read', file, 'damaged', 'is not as it was written; remove it to begin anew');
  const value = toJson(text);
  if (typeof value !== 'object' || value === null || !('version' in value)) throw damaged;
  if (value.version !== version) {
    throw refusal(
      'read',
      file,
      'unsupported',
      `is of version ${String(value.version)}, not ${String(version)}`,
    );
  }
  if (!('entries' in value) || !Array.isArray(value.entries)) throw damaged;
  const found: readonly unknown[] = value.entries;
  return found.flatMap((entry) => {
    const parsed = parse(entry);
    if (parsed === undefined && !skipsUnknown) throw damaged;
    return parsed === undefined ? [] : [parsed];
  });
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The message would quote the file.
    return undefined;
  }
}

async function lock(file: string): Promise<() => Promise<void>> {
  const attempt = await awaitLock(file, lockMs);
  if (attempt.isTaken) return attempt.release;
  throw refusal('change', file, 'failed', `process ${String(attempt.holder.pid)} does not release it`);
}

async function replace(file: string, text: string): Promise<void> {
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await replaceFile(file, text);
  } catch (error) {
    throw toWorkspaceError(error, 'write', file);
  }
}
