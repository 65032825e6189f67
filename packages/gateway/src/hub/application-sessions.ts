import type { AapServer } from '@parley/aap/server';
import { isJsonObject } from '@parley/wire';
import type { AapStore } from '../store/open-aap-store.ts';

/** The sessions that were begun over AAP, as far as only their server knows them, or can do something with them. */
export interface ApplicationSessions {
  /** What goes on in a session; undefined where nothing does. */
  state(key: string): 'running' | 'waiting' | undefined;
  /** Ends the turn that runs, or the wait for the application. Settles when it has ended. */
  cancel(key: string): Promise<void>;
  /** Removes a session with all that belongs to it. */
  remove(key: string): Promise<void>;
  /** Calls with the key of each session that is new, has changed, or is gone. Returns what ends that. */
  listen(listener: (key: string) => void): () => void;
}

/** The sessions of an AAP server. */
export function createApplicationSessions(store: AapStore, server: AapServer): ApplicationSessions {
  return {
    state: (key) => {
      const head = store.head(key);
      const status = isJsonObject(head) ? head['status'] : undefined;
      // A turn that an earlier process began has ended with it, regardless of what is stored.
      if (status === 'running') return store.wasChanged(key) ? 'running' : undefined;
      return status === 'waiting' ? 'waiting' : undefined;
    },
    cancel: (key) => server.cancel(key),
    remove: (key) => server.remove(key),
    listen: (listener) => store.listen(listener),
  };
}
