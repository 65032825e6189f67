import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { refusal, toWorkspaceError } from '../error.ts';
import { readNamedFile } from '../files/read-named-file.ts';
import { replaceFile } from '../files/replace-file.ts';
import { awaitLock } from '../log/lock.ts';
import { readPrivateFile } from './read-private-file.ts';
import type { ListPlace, SharedDocument } from './shared-document.ts';

/** A short list that is stored as JSON: in a file, which only its owner can read, or in a document that several machines share. */
export interface StateList<Entry> {
  /** Returns the current entries; none if the file does not exist. */
  read(): Promise<readonly Entry[]>;
  /** Replaces the entries atomically; simultaneous changes of other processes are not lost. */
  change(change: (entries: readonly Entry[]) => readonly Entry[]): Promise<readonly Entry[]>;
}

/** Parses an entry: undefined if it is invalid. */
export type EntryParser<Entry> = (value: unknown) => Entry | undefined;

/** Options of a list. */
export interface StateListOptions {
  /** Rejects a file that is a link or accessible to other users. @default false */
  readonly isPrivate?: boolean;
  /**
   * Skips entries that the parser does not know, such as those of another version; the next change removes them. Only
   * for lists in which a missing entry grants no further rights. @default false: a file with such an entry is damaged
   */
  readonly skipsUnknown?: boolean;
}

/** Opens a list, which need not exist. */
export function stateList<Entry>(
  place: ListPlace,
  parse: EntryParser<Entry>,
  options: StateListOptions = {},
): StateList<Entry> {
  return typeof place === 'string' ? listIn(place, parse, options) : sharedList(place, parse, options);
}

function sharedList<Entry>(
  document: SharedDocument,
  parse: EntryParser<Entry>,
  { skipsUnknown = false }: StateListOptions,
): StateList<Entry> {
  const entriesIn = (text: string | undefined): readonly Entry[] =>
    text === undefined ? [] : parseEntries(text, document.name, { parse, skipsUnknown });
  return {
    read: async () => entriesIn(await document.read()),
    async change(change) {
      let entries: readonly Entry[] = [];
      await document.change((text) => {
        entries = change(entriesIn(text));
        return Promise.resolve(toText(entries));
      });
      return entries;
    },
  };
}

function toText(entries: readonly unknown[]): string {
  return `${JSON.stringify({ version, entries }, undefined, 2)}\n`;
}

/** The list in a file; neither the file nor its folder need to exist. */
function listIn<Entry>(
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
        await replace(file, toText(entries));
        return entries;
      } finally {
        await release();
      }
    },
  };
}

const version = 1;

/** Size of a file that is read. */
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
  const damaged = refusal(
    'read',
    file,
    'damaged',
    'its content is damaged; delete it to start with an empty one',
  );
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
