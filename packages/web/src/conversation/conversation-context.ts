import { createContext, use, useState, type Context } from 'react';
import { emptyFeed, type SessionFeed } from '../hub/session-feed.ts';

/** What all parts of a conversation know. */
export interface ConversationPlace {
  readonly sessionKey: string;
  readonly cwd?: string;
  /** What the agent is called. */
  readonly agentName: string;
  /** What was opened and closed by hand, while it is not on the screen too. */
  readonly opened: Map<string, boolean>;
}

/** The conversation around something. */
export const PlaceContext: Context<ConversationPlace> = createContext<ConversationPlace>({
  sessionKey: '',
  agentName: '',
  opened: new Map(),
});

/** What is known of the session, for the few parts that change with each of its events. */
export const FeedContext: Context<SessionFeed> = createContext<SessionFeed>(emptyFeed);

/** Whether something is open: as it was left by hand, else as it is by itself. */
export function useOpened(name: string, byItself: boolean): readonly [boolean, () => void] {
  const { opened } = use(PlaceContext);
  const [byHand, setByHand] = useState(() => opened.get(name));
  const isOpen = byHand ?? byItself;
  return [
    isOpen,
    () => {
      opened.set(name, !isOpen);
      setByHand(!isOpen);
    },
  ];
}
