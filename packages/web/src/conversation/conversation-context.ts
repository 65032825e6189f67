import { createContext, use, useState, type Context } from 'react';
import { emptyFeed, type SessionFeed } from '../hub/session-feed.ts';

/** What all parts of a conversation know. */
export interface ConversationPlace {
  readonly sessionKey: string;
  readonly cwd?: string;
  /** What the agent is called. */
  readonly agentName: string;
  /** What the user expanded or collapsed, even while it is not rendered. */
  readonly opened: Map<string, boolean>;
}

/** The conversation around something. */
export const PlaceContext: Context<ConversationPlace> = createContext<ConversationPlace>({
  sessionKey: '',
  agentName: '',
  opened: new Map(),
});

/** The state of the session, for the few components that change with each event. */
export const FeedContext: Context<SessionFeed> = createContext<SessionFeed>(emptyFeed);

/** Whether something is expanded: as the user left it, else by its default. */
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
