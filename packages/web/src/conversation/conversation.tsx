import { values } from '@parley/host/view';
import type { ReactElement } from 'react';
import type { SessionFeed } from '../desk/session-feed.ts';

/** What a conversation is made of. */
export interface ConversationProps {
  readonly sessionKey: string;
  readonly feed: SessionFeed;
}

/** All that happened in a session, in the order it began. */
export function Conversation({ feed }: ConversationProps): ReactElement {
  return (
    <ol>
      {[...values(feed.view.items)].map((item) => (
        <li key={item.seq}>{item.kind}</li>
      ))}
    </ol>
  );
}
