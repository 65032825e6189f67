import type { SessionRecord } from './session-record.ts';
import type { SessionLog } from './session-store.ts';

/** The recorder of the session that a sub-agent works for, as far as it matters here. */
interface ParentRecorder {
  note(record: SessionRecord): void;
  flush(): Promise<void>;
}

/**
 * A log that stores a sub-agent's updates in the log of its parent. Its conversation is not stored: a sub-agent never
 * gets more work, so no model reads it again.
 */
export function subagentLog(parent: ParentRecorder, subagent: string): SessionLog {
  return {
    lost: { tailBytes: 0, damagedLines: 0 },
    append: (record) => {
      if (record.type === 'update' || record.type === 'left-out') parent.note({ ...record, subagent });
    },
    flush: () => parent.flush(),
    sync: () => parent.flush(),
    close: () => Promise.resolve(),
  };
}
