import type { HubSession } from '@parley/host/hub';
import { createContext, use, useCallback, useState, useSyncExternalStore, type Context } from 'react';
import { useNow } from '../parts/use-now.ts';
import type { HubClient } from './hub-client.ts';
import type { HubState } from './hub-state.ts';
import type { SessionFeed } from './session-feed.ts';

/** The hub that the interface is connected to. */
export const HubContext: Context<HubClient | undefined> = createContext<HubClient | undefined>(undefined);

/** Returns the client of the hub. */
export function useHubClient(): HubClient {
  const client = use(HubContext);
  if (client === undefined) throw new Error('there is no hub around this');
  return client;
}

/** What is on the hub. */
export function useHub(): HubState {
  const { state } = useHubClient();
  return useSyncExternalStore(state.subscribe, state.get);
}

/** A session as lists show it. */
export function useHubSession(key: string): HubSession | undefined {
  return useHub().sessions.get(key);
}

/** What happens in a session, which is watched as long as the component is there. */
export function useSessionFeed(key: string): SessionFeed {
  const client = useHubClient();
  const watch = useCallback((listener: () => void) => client.watch(key, listener), [client, key]);
  return useSyncExternalStore(watch, () => client.feed(key));
}

/** The current time in steps, which stops while disconnected: the displayed data is from then. */
export function useLiveNow(stepMs: number): number {
  const { connection } = useHub();
  const now = useNow(stepMs);
  const [last, setLast] = useState(now);
  if (connection.state !== 'open') return last;
  if (last !== now) setLast(now);
  return now;
}
