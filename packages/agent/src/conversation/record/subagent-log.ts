import type { ConversationRecord } from './conversation-record.ts';
import type { ConversationLog } from './conversation-store.ts';

/** The recorder of the conversation that a sub-agent works for, as far as it matters here. */
interface ParentRecorder {
  note(record: ConversationRecord): void;
  flush(): Promise<void>;
}

/**
 * A log that stores a sub-agent's updates in the log of its parent. Its conversation is not stored: a sub-agent never
 * gets more work, so no model reads it again.
 */
export function subagentLog(parent: ParentRecorder, subagent: string): ConversationLog {
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
