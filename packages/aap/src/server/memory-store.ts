import type { AapSessionStore } from './aap-session-store.ts';

/** Creates a store in memory. */
export function memoryStore(): AapSessionStore {
  const sessions = new Map<string, { head: unknown; readonly records: string[] }>();
  return {
    async *list() {
      for (const [sessionId, { head }] of sessions) yield { sessionId, head };
    },
    head: (sessionId) => sessions.get(sessionId)?.head,
    async read(sessionId, take) {
      const session = sessions.get(sessionId);
      if (session === undefined) return false;
      const { length } = session.records;
      for (const record of session.records.slice(0, length)) await take(JSON.parse(record));
      return true;
    },
    append(sessionId, records, { head } = {}) {
      const lines = records.map((record) => JSON.stringify(record));
      const session = sessions.get(sessionId) ?? { head: undefined, records: [] };
      session.records.push(...lines);
      if (head !== undefined) session.head = head;
      sessions.set(sessionId, session);
    },
    async remove(sessionId) {
      sessions.delete(sessionId);
    },
    async close() {
      sessions.clear();
    },
  };
}
