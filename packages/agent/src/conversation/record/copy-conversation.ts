import { isConversationRecord } from './conversation-record.ts';
import type { ConversationRecord } from './conversation-record.ts';
import type { PeekAnswer, ConversationStore } from './conversation-store.ts';
import { mapFields } from './cut-record.ts';

/** Which conversation is copied, and the id of the copy. */
export interface CopyOptions {
  readonly from: string;
  readonly to: string;
  /** Creates an id for the copy of a sub-agent's session. */
  readonly createId: () => string;
}

/** Copies a stored conversation up to its last finished turn, including settings that were changed since. */
export async function copyConversation(
  store: ConversationStore,
  { from, to, createId }: CopyOptions,
): Promise<void> {
  const renamed = new RenamedConversations(from, to, createId);
  const log = await store.create(to);
  try {
    // One turn at a time: it counts when its end is there.
    let turn: ConversationRecord[] = [];
    const release = async (records: readonly ConversationRecord[]): Promise<void> => {
      for (const record of records) log.append(renamed.apply(record));
      turn = [];
      await log.flush();
    };
    await store.peek(from, async (record): Promise<PeekAnswer> => {
      if (!isConversationRecord(record)) return 'more';
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

/** The ids of the copies, by those of their originals. */
class RenamedConversations {
  readonly #ids: Map<string, string>;
  readonly #createId: () => string;

  constructor(from: string, to: string, createId: () => string) {
    this.#ids = new Map([[from, to]]);
    this.#createId = createId;
  }

  /** The record with the id of the copy wherever it names a conversation. */
  apply(record: ConversationRecord): ConversationRecord {
    if (record.type !== 'update' && record.type !== 'left-out') return record;
    if (record.type === 'update' && record.update.sessionUpdate === 'subagent_update') {
      const { sessionId } = record.update;
      if (!this.#ids.has(sessionId)) this.#ids.set(sessionId, this.#createId());
    }
    return this.#ids.size === 1 ? record : this.#rename(record);
  }

  /** Replaces ids. They cannot be guessed, so no other text equals one. */
  #rename<T>(value: T): T;
  #rename(value: unknown): unknown {
    return typeof value === 'string'
      ? (this.#ids.get(value) ?? value)
      : mapFields(value, (item) => this.#rename<unknown>(item));
  }
}

function isSetting({ type }: ConversationRecord): boolean {
  return type === 'mode' || type === 'option' || type === 'directories' || type === 'servers';
}
