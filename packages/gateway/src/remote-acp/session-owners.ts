/** The token that an ACP session belongs to, and where the session was begun. */
export interface SessionOwner {
  /** The id of the token. */
  readonly owner: string;
  /** The directory of the session. */
  readonly cwd: string;
}

/**
 * The owners of the ACP sessions that were begun here, by agent and by ACP's `sessionId`. Sessions that agents have stored and that
 * are missing here, such as those begun in an editor, belong to `admin` only.
 */
export interface SessionOwners {
  find(agent: string, sessionId: string): SessionOwner | undefined;
  /** Settles when the owner is stored; until then the client must not be told of the session. */
  set(agent: string, sessionId: string, owner: SessionOwner): Promise<void>;
  /** The session was deleted. */
  delete(agent: string, sessionId: string): Promise<void>;
}

/** Owners that are forgotten when the process ends. */
export function memorySessionOwners(): SessionOwners {
  const owners = new Map<string, SessionOwner>();
  return {
    find: (agent, sessionId) => owners.get(toKey(agent, sessionId)),
    set: (agent, sessionId, owner) => {
      owners.set(toKey(agent, sessionId), owner);
      return Promise.resolve();
    },
    delete: (agent, sessionId) => {
      owners.delete(toKey(agent, sessionId));
      return Promise.resolve();
    },
  };
}

/** Two agents may use the same id. */
export function toKey(agent: string, sessionId: string): string {
  return JSON.stringify([agent, sessionId]);
}
