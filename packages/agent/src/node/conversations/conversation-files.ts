import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log, LogFormat } from '@parley/workspace';
import { AgentError } from '../../agent-error.ts';
import { conversationRecordVersion } from '../../conversation/record/conversation-record.ts';
import type {
  ConversationEntry,
  ConversationLog,
  ConversationStore,
} from '../../conversation/record/conversation-store.ts';
import { errorCode } from '../../error-code.ts';
import { openMarks } from './conversation-marks.ts';

const format: LogFormat = { name: 'agent-session', version: conversationRecordVersion };
/** Length of a line in a session file. */
const maxLineBytes = 32 * 1024 * 1024;
/** How long records gather after a write, in milliseconds; not while a step or a turn waits for them. */
const gatherMs = 10;
const suffix = '.jsonl';

/** Keeps conversations in a directory: a log for each, and a lock file beside it while it is open. */
export function createConversationFiles(directory: string): ConversationStore {
  const fileOf = (id: string): string => join(directory, `${id}${suffix}`);

  const lock = async (id: string): Promise<() => Promise<void>> => {
    const { takeLock } = await import('@parley/workspace');
    const attempt = await takeLock(join(directory, `${id}.lock`));
    if (attempt.isTaken) return attempt.release;
    const message = `Session ${id} is open in another place (process ${String(attempt.holder.pid)})`;
    throw new AgentError('session-busy', message);
  };

  /**
   * Takes a conversation's lock. On a full disk, lock files cannot be created, although removing conversations would free
   * space: then it is enough that no process holds one.
   */
  const lockToRemove = async (id: string): Promise<() => Promise<void>> => {
    try {
      return await lock(id);
    } catch (error) {
      const { lockHolder } = await import('@parley/workspace');
      if (
        errorCode(error) !== 'no-space' ||
        (await lockHolder(join(directory, `${id}.lock`))) !== undefined
      ) {
        throw error;
      }
      return () => Promise.resolve();
    }
  };

  const marks = openMarks(join(directory, 'marks.json'));

  return {
    create: async (id) => {
      const { openLog } = await import('@parley/workspace');
      const release = await lock(id);
      return await whileLocked(release, () =>
        openLog(fileOf(id), { format, maxLineBytes, gatherMs, expect: 'new' }),
      );
    },

    open: async (id, read) => {
      if (!isId(id) || !(await exists(fileOf(id)))) return undefined;
      const { openLog } = await import('@parley/workspace');
      const release = await lock(id);
      try {
        return await whileLocked(release, () =>
          openLog(fileOf(id), { format, maxLineBytes, gatherMs, expect: 'existing', read }),
        );
      } catch (error) {
        if (errorCode(error) === 'not-found') return undefined;
        throw toDamage(error, id);
      }
    },

    peek: async (id, read) => {
      if (!isId(id)) return;
      const { readLog } = await import('@parley/workspace');
      const enough = new Error('enough');
      try {
        await readLog(fileOf(id), {
          format,
          maxLineBytes,
          read: async (record) => {
            if ((await read(record)) === 'enough') throw enough;
          },
        });
      } catch (error) {
        if (error !== enough && errorCode(error) !== 'not-found') throw toDamage(error, id);
      }
    },

    entries: async () => {
      const names = await readdir(directory).catch((error: unknown) => {
        if (errorCode(error) === 'ENOENT') return [];
        throw error;
      });
      const ids = names.flatMap((name) => (name.endsWith(suffix) ? [name.slice(0, -suffix.length)] : []));
      const marked = await marks.read();
      const entries: ConversationEntry[] = [];
      for (let from = 0; from < ids.length; from += statsAtOnce) {
        const part = ids.slice(from, from + statsAtOnce).filter(isId);
        const found = await Promise.all(part.map((id) => entryOf(id, fileOf(id))));
        for (const entry of found) {
          if (entry !== undefined) entries.push({ ...entry, ...marked.get(entry.id) });
        }
      }
      return entries;
    },

    has: async (id) => isId(id) && (await exists(fileOf(id))),

    marksOf: async (id) => (await marks.read()).get(id) ?? {},

    mark: (id, changed) => marks.set(id, changed),

    remove: async (id) => {
      if (!isId(id) || !(await exists(fileOf(id)))) return;
      const release = await lockToRemove(id);
      try {
        await rm(fileOf(id), { force: true });
        if ((await marks.read()).has(id)) await marks.set(id, undefined);
      } finally {
        await release();
      }
    },

    now: () => new Date().toISOString(),
  };
}

/** Session files whose state is read at the same time. */
const statsAtOnce = 64;

/** Whether a text is a valid id: it becomes a file name, and must not lead elsewhere. */
function isId(id: string): boolean {
  return /^[\w-]{1,128}$/u.test(id);
}

/** The log of a conversation, which releases the lock when it is closed. */
async function whileLocked(release: () => Promise<void>, open: () => Promise<Log>): Promise<ConversationLog> {
  let log: Log;
  try {
    log = await open();
  } catch (error) {
    await release();
    throw error;
  }
  return {
    lost: log.lost,
    append: (record) => {
      log.append(record);
    },
    flush: () => flush(log),
    sync: async () => {
      await flush(log);
      await log.sync();
    },
    close: async () => {
      try {
        await log.close();
      } finally {
        await release();
      }
    },
  };
}

/** Writes records synchronously, which takes microseconds, less than waking another thread; not for a while after it took long. */
async function flush(log: Log): Promise<void> {
  const start = performance.now();
  const writing = start < restsUntil ? log.flush() : log.flushNow();
  const end = performance.now();
  if (end - start > slowMs) restsUntil = end + restMs;
  await writing;
}

/** A write that takes longer, in milliseconds, shows that the disk is slow. */
const slowMs = 20;
/** How long no log is written synchronously after that, in milliseconds. */
const restMs = 10_000;
let restsUntil = 0;

function toDamage(error: unknown, id: string): unknown {
  const code = errorCode(error);
  if (code !== 'damaged' && code !== 'unsupported') return error;
  const reason = code === 'damaged' ? 'its file is damaged' : 'another version of this program wrote it';
  return new AgentError('session-damaged', `Session ${id} cannot be read: ${reason}`, { cause: error });
}

async function exists(file: string): Promise<boolean> {
  return (await statIfThere(file)) !== undefined;
}

async function entryOf(id: string, file: string): Promise<ConversationEntry | undefined> {
  const found = await statIfThere(file);
  return found && { id, updatedAt: found.mtime.toISOString() };
}

async function statIfThere(file: string): Promise<Awaited<ReturnType<typeof stat>> | undefined> {
  try {
    return await stat(file);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
