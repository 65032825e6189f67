import { RpcError, rpcCodes } from '@parley/wire';
import type { FlushPace } from '@parley/workspace';
import { HostError } from '../host-error.ts';

/** What stores the events of an agent's sessions, as far as a session depends on it. */
export interface EventStore {
  /**
   * Settles when every event so far is stored; undefined when it is. Rejects when one could not be stored yet.
   *
   * @param pace `soon`: events that follow within milliseconds may be stored with them. @default 'now'
   */
  stored(pace?: FlushPace): Promise<void> | undefined;
  /** Calls the listener each time storing begins to fail. Returns what removes it. */
  onFailure(listener: (error: Error) => void): () => void;
}

/** @throws {HostError} `not-stored`: an event could not be stored; `what` says what that means. */
export async function expectStored(store: EventStore | undefined, what: string): Promise<void> {
  try {
    await store?.stored();
  } catch (error) {
    throw notStored(what, error);
  }
}

/** What failed because events cannot be stored, and why they cannot. */
export function notStored(what: string, cause: unknown): HostError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new HostError('not-stored', `${what}, because the session cannot be stored: ${reason}`, { cause });
}

/**
 * Waits until all that led to an act is stored: what cannot be stored must not change anything.
 *
 * @throws {RpcError} It cannot be stored.
 */
export async function storedBefore(store: EventStore | undefined, act: string): Promise<void> {
  try {
    await expectStored(store, `${act} was not done`);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new RpcError(rpcCodes.internalError, message, { reason: 'not-stored' }, { cause: error });
  }
}
