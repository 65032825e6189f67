import { RpcError, rpcCodes } from '@parley/wire';
import type { FlushPace } from '@parley/workspace';
import { HostError } from '../host-error.ts';

/** The part of an event log that an agent's sessions depend on. */
export interface EventStore {
  /**
   * Settles when all events so far are stored; undefined if they already are. Rejects if an event could not be stored
   * yet.
   *
   * @param pace `soon`: events that follow within milliseconds may be stored together with them. @default 'now'
   */
  stored(pace?: FlushPace): Promise<void> | undefined;
  /** Calls the listener each time storing starts to fail. Returns a function that removes it. */
  onFailure(listener: (error: Error) => void): () => void;
}

/** @throws {HostError} `not-stored`: an event could not be stored; `what` names the consequence. */
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
 * Waits until all events that led to an action are stored. What cannot be stored must not have an effect.
 *
 * @throws {RpcError} An event could not be stored.
 */
export async function storedBefore(store: EventStore | undefined, act: string): Promise<void> {
  try {
    await expectStored(store, `${act} was not done`);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new RpcError(rpcCodes.internalError, message, { reason: 'not-stored' }, { cause: error });
  }
}
