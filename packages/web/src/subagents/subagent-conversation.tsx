import { subagentOf } from '@parley/host/state';
import { useMemo, type ReactElement } from 'react';
import { Conversation } from '../conversation/conversation.tsx';
import type { SessionFeed } from '../hub/session-feed.ts';
import { subagentFeed } from './subagent-feed.ts';
import { SubagentHead } from './subagent-head.tsx';

/** Props of {@link SubagentConversation}. */
export interface SubagentConversationProps {
  readonly sessionKey: string;
  readonly feed: SessionFeed;
  /** The id of its session. */
  readonly subagent: string;
}

/** The conversation of a sub-agent; for an unknown one, that of its session. */
export function SubagentConversation({
  sessionKey,
  feed,
  subagent: id,
}: SubagentConversationProps): ReactElement {
  const subagent = subagentOf(feed.view, id);
  const shown = useMemo(
    () => (subagent === undefined ? feed : subagentFeed(feed, subagent)),
    [feed, subagent],
  );
  const name = `${sessionKey}/${id}`;
  return (
    <>
      {subagent !== undefined && <SubagentHead sessionKey={sessionKey} subagent={subagent} />}
      <Conversation key={name} name={name} sessionKey={sessionKey} feed={shown} />
    </>
  );
}
