import type { JournalStart } from './journal-event.ts';
import { readJournal } from './journal-file.ts';
import { openJournal } from './journal.ts';

/**
 * Begins the journal of a session that goes on from where another is: with all that happened in that one, when it did.
 *
 * @throws {WorkspaceError} The other journal cannot be read, or the new one not be made.
 */
export async function copyJournal(
  from: string,
  to: string,
  start: Omit<JournalStart, 'type'>,
): Promise<void> {
  let time = Date.now();
  let sessionId: string | undefined;
  let failure: Error | undefined;
  const journal = await openJournal(to, {
    start,
    now: () => time,
    onFailure: (error) => {
      failure = error;
    },
  });
  try {
    await readJournal(from, ({ seq: _seq, time: then, ...entry }) => {
      time = then;
      if (entry.type === 'session') ({ sessionId } = entry);
      if (entry.type !== 'journal-start') journal.append(entry);
      return journal.ready();
    });
    time = Date.now();
    // Its own session is another one.
    if (sessionId !== undefined) journal.append({ type: 'session-end', sessionId, reason: 'closed' });
  } finally {
    await journal.close();
  }
  if (failure !== undefined) throw failure;
}
