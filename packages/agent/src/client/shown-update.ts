import type { ClientCapabilities, SessionUpdate } from '@parley/acp';

/**
 * An update as the client takes it. Where it does not show compactions, that there is one is a notice, or a thought;
 * of the summary it sees nothing then, which is undefined.
 */
export function toShownUpdate(
  update: SessionUpdate,
  { session }: ClientCapabilities,
): SessionUpdate | undefined {
  if (session?.compaction !== undefined) return update;
  if (update.sessionUpdate === 'compaction_summary_chunk') return undefined;
  if (update.sessionUpdate !== 'compaction_update') return update;
  const [title, description] = toWords(update);
  return session?.notices === undefined
    ? { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: `${title}. ${description}` } }
    : {
        sessionUpdate: 'notice',
        severity: update.status === 'failed' ? 'warning' : 'info',
        title,
        description,
      };
}

type CompactionUpdate = Extract<SessionUpdate, { readonly sessionUpdate: 'compaction_update' }>;

function toWords({ status, error }: CompactionUpdate): readonly [title: string, description: string] {
  switch (status) {
    case 'completed':
      return ['The conversation was compacted', 'The model reads a summary of what stands above.'];
    case 'failed':
      return ['The conversation could not be compacted', `${error ?? 'There is no summary'}.`];
    case 'cancelled':
      return ['The conversation was not compacted', 'It was cancelled.'];
    default:
      return ['The conversation is being compacted', 'The model sums up the older part of it.'];
  }
}
