import type { SessionUpdate } from '@parley/acp';
import type { ConversationRecord } from './conversation-record.ts';

/** Characters of one update of a replay, which merges many. */
const chunkChars = 64 * 1024;

/** The updates that show a record to a client which loads the conversation. */
export function* replay(record: ConversationRecord): Generator<SessionUpdate, void, undefined> {
  switch (record.type) {
    case 'prompt':
    case 'steered':
      for (const content of record.content) yield { sessionUpdate: 'user_message_chunk', content };
      return;
    case 'update':
      yield* repeated(record.update, record.times ?? 1);
      return;
    case 'left-out':
      yield thought(`${String(record.calls)} more tool calls were made in this step; they were not stored.`);
      return;
    case 'end':
      if (record.stopReason === 'interrupted') yield thought(`This turn was interrupted. ${interruption}`);
      return;
    case 'compaction':
      yield toCompactionUpdate(record);
      return;
    case 'session':
    case 'directories':
    case 'mode':
    case 'option':
    case 'servers':
    case 'title':
    case 'message':
    case 'clear':
      return;
  }
}

/** The notice for a turn that did not end. */
export const interruption =
  'The agent was ended while this turn ran. What its last step did may be missing here.';

/** Replays an update that was sent many times: text is joined into few long updates, any other is sent once. */
function* repeated(update: SessionUpdate, times: number): Generator<SessionUpdate, void, undefined> {
  if (
    times === 1 ||
    (update.sessionUpdate !== 'agent_message_chunk' && update.sessionUpdate !== 'agent_thought_chunk') ||
    update.content.type !== 'text'
  ) {
    yield update;
    return;
  }
  const { text } = update.content;
  const timesAtOnce = Math.max(1, Math.floor(chunkChars / Math.max(1, text.length)));
  for (let left = times; left > 0; left -= timesAtOnce) {
    yield { ...update, content: { ...update.content, text: text.repeat(Math.min(left, timesAtOnce)) } };
  }
}

function toCompactionUpdate({
  summary,
}: Extract<ConversationRecord, { readonly type: 'compaction' }>): SessionUpdate {
  if (summary === undefined) return thought('The older part of the conversation was forgotten here.');
  const { compactionId, text } = summary;
  return {
    sessionUpdate: 'compaction_update',
    compactionId,
    status: 'completed',
    summary: [{ type: 'text', text }],
  };
}

function thought(text: string): SessionUpdate {
  return { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text } };
}
