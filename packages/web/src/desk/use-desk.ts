import type { DeskSession } from '@parley/host/desk';
import { createContext, use, useCallback, useSyncExternalStore, type Context } from 'react';
import type { DeskClient } from './desk-client.ts';
import type { DeskState } from './desk-state.ts';
import type { SessionFeed } from './session-feed.ts';

/** The desk that the interface is connected to. */
export const DeskContext: Context<DeskClient | undefined> = createContext<DeskClient | undefined>(undefined);

/** What can be asked of the desk. */
export function useDeskClient(): DeskClient {
  const client = use(DeskContext);
  if (client === undefined) throw new Error('there is no desk around this');
  return client;
}

/** What is on the desk. */
export function useDesk(): DeskState {
  const { state } = useDeskClient();
  return useSyncExternalStore(state.subscribe, state.get);
}

/** A session as lists show it. */
export function useDeskSession(key: string): DeskSession | undefined {
  return useDesk().sessions.get(key);
}

/** What happens in a session, which is watched as long as the component is there. */
export function useSessionFeed(key: string): SessionFeed {
  const client = useDeskClient();
  const watch = useCallback((listener: () => void) => client.watch(key, listener), [client, key]);
  return useSyncExternalStore(watch, () => client.feed(key));
}
