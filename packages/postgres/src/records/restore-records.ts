import { HostError, type LoggedEvent } from '@parley/host';
import type { Sql } from 'postgres';
import { inTransaction } from '../transaction.ts';
import { HeadNotes } from './head-notes.ts';

/** Characters of records that are stored with one statement. */
const mostCharacters = 1024 * 1024;

/** Stores a whole event log in one transaction. */
export async function restoreRecords(
  sql: Sql,
  key: string,
  write: (append: (event: LoggedEvent) => Promise<void> | undefined) => Promise<void>,
): Promise<void> {
  await inTransaction(sql, async (transaction, checkOpen) => {
    const [row] = await transaction`
      insert into parley.sessions as s (key, fence, updated_at) values (${key}, 0, 0)
      on conflict (key) do update set fence = s.fence + 1 where s.last_seq = 0 and s.owner is null
      returning key`;
    if (row === undefined) {
      throw new HostError('already-open', `restore session ${JSON.stringify(key)}: it exists`);
    }
    const notes = new HeadNotes();
    let records: LoggedEvent[] = [];
    let texts: string[] = [];
    let characters = 0;
    let last: LoggedEvent | undefined;
    const store = async (): Promise<void> => {
      // What is stored is read from elsewhere meanwhile.
      checkOpen();
      const seqs = records.map(({ seq }) => seq);
      await transaction`
        insert into parley.records (key, seq, last, record)
        select ${key}, record.seq, record.seq, record.json
        from unnest(${seqs}::bigint[], ${texts}::text[]) as record (seq, json)`;
      records = [];
      texts = [];
      characters = 0;
    };
    await write((event) => {
      const text = JSON.stringify(event);
      notes.note(event);
      records.push(event);
      texts.push(text);
      characters += text.length;
      last = event;
      return characters > mostCharacters ? store() : undefined;
    });
    await store();
    const { start, sessionId, title, applicationHead } = notes.take();
    await transaction`
      update parley.sessions set
        last_seq = ${last?.seq ?? 0}, updated_at = ${last?.time ?? 0},
        start = ${start ?? null}, session_id = ${sessionId ?? null}, title = ${title ?? null},
        application_head = ${applicationHead ?? null}
      where key = ${key}`;
  });
}
