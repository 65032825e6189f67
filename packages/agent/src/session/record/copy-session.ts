import { isSessionRecord } from './session-record.ts';
import type { SessionRecord } from './session-record.ts';
import type { PeekAnswer, SessionStore } from './session-store.ts';

/** Which session is copied, and the id of the copy. */
export interface CopyOptions {
  readonly from: string;
  readonly to: string;
}

/**
 * Copies what is kept of a session into a new one, up to its last finished turn. Settings that were made since then
 * hold in the copy too.
 */
export async function copySession(store: SessionStore, { from, to }: CopyOptions): Promise<void> {
  const log = await store.create(to);
  try {
    // One turn at a time: it counts when its end is there.
    let turn: SessionRecord[] = [];
    const release = async (records: readonly SessionRecord[]): Promise<void> => {
      for (const record of records) log.append(record);
      turn = [];
      await log.flush();
    };
    await store.peek(from, async (record): Promise<PeekAnswer> => {
      if (!isSessionRecord(record)) return 'more';
      // An end that was lost in damage does not make two turns one.
      if (record.type === 'prompt' && turn.some(({ type }) => type === 'prompt')) await release(turn);
      if (record.type === 'end') await release([...turn, record]);
      else if (turn.length > 0 || record.type === 'title' || record.type === 'prompt') turn.push(record);
      else log.append(record.type === 'session' ? { ...record, id: to, time: store.now() } : record);
      return 'more';
    });
    await release(turn.filter(isSetting));
    await log.sync();
  } finally {
    await log.close();
  }
}

function isSetting({ type }: SessionRecord): boolean {
  return type === 'mode' || type === 'option' || type === 'directories' || type === 'servers';
}
