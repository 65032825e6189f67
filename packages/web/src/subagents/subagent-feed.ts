import type { SubagentState } from '@parley/host/state';
import type { SessionFeed } from '../hub/session-feed.ts';

/** The conversation of a sub-agent as that of a session. Its own sub-agents are found in it too. */
export function subagentFeed(feed: SessionFeed, subagent: SubagentState): SessionFeed {
  const { view } = feed;
  const { conversation, work } = subagent;
  const cwd = subagent.cwd ?? view.cwd;
  return {
    ...feed,
    view: {
      ...conversation,
      phase: work.state === 'running' ? 'running' : 'ready',
      ...(view.agent !== undefined && { agent: view.agent }),
      ...(cwd !== undefined && { cwd }),
      subagents: view.subagents,
      progress: { ...conversation.progress, subagents: view.progress.subagents },
    },
  };
}
