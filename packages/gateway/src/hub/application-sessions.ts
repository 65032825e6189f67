import type { AapServer, RequestContext } from '@parley/aap/server';
import { invalidRequest } from '@parley/acp';
import { isJsonObject, type RpcError } from '@parley/wire';
import type { AapStore } from '../store/aap-store.ts';

/** The AAP sessions, for state and actions that only their server knows. */
export interface ApplicationSessions {
  /** The activity of a session; undefined if it is idle. */
  state(key: string): 'running' | 'waiting' | undefined;
  /** Ends the running turn, or the wait for the application. Settles when it has ended. */
  cancel(key: string): Promise<void>;
  /** Answers a request of an application about one session, which another replica received. */
  answer(request: Request, context: RequestContext): Promise<Response>;
  /** Whether an option may be secret: an agent declares it as such, or no agent declares it. */
  isSecretOption(name: string): boolean;
  /** Ends the turn that an owner left behind that has ended. */
  takeOver(key: string): Promise<void>;
  /** Another process owns the session now: ends what runs for it, and forgets what is known of it. */
  lose(key: string): void;
  /** Removes a session with all its data. */
  remove(key: string): Promise<void>;
  /**
   * Calls a function with the key of each session that was created, changed or removed. Returns a function that stops
   * this.
   */
  listen(listener: (key: string) => void): () => void;
}

/** Returns the sessions of an AAP server. */
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
    answer: (request, context) => server.handle(request, context),
    isSecretOption: (name) => server.isSecretOption(name),
    takeOver: (key) => server.recover(key),
    lose: (key) => {
      server.forget(key);
      store.lose(key);
    },
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
