import type { AapServer } from '@parley/aap/server';
import { invalidRequest } from '@parley/acp';
import { isJsonObject, type RpcError } from '@parley/wire';
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

/** Why a client of the hub may not steer such a session. */
export function ownedByApplication(): RpcError {
  return invalidRequest(
    'an application began this session over AAP, and only it sends prompts, answers permission requests and sets options; ' +
      'other clients can follow, cancel and delete it',
  );
}
