/** The effect of a method on the session that its params or its result name. */
export type SessionRole =
  /** The result names a new session. */
  | 'creates'
  /** The params name a session that is open from now on; its history is sent before the answer. */
  | 'loads'
  /** The params name a session that is open from now on; its history is not sent. */
  | 'resumes'
  /** The params name a session that has to be open. */
  | 'uses'
  /** The same, and a turn of it lasts until the answer. */
  | 'prompts'
  /** The same, and its turn is to end. */
  | 'cancels'
  /** The params name a session that has to be open, and then is not. */
  | 'closes'
  /** The params name a session, open or not, which then is not. */
  | 'drops';

/** The sessions that are open on a connection, one small entry each. */
export class SessionBook<Session> {
  readonly #sessions = new Map<string, Session>();
  #expected = 0;
  readonly #create: (sessionId: string) => Session;

  constructor(create: (sessionId: string) => Session) {
    this.#create = create;
  }

  /** Whether a request is on its way whose answer names a new session: the agent may be ahead of its answer. */
  get isExpecting(): boolean {
    return this.#expected > 0;
  }

  get(sessionId: string): Session | undefined {
    return this.#sessions.get(sessionId);
  }

  /** Enters a session; one that is there already stays as it is. */
  open(sessionId: string): Session {
    const known = this.#sessions.get(sessionId);
    if (known !== undefined) return known;
    const session = this.#create(sessionId);
    this.#sessions.set(sessionId, session);
    return session;
  }

  /** A new session is asked for. Returns what to call when it is here, or is not going to be. */
  expect(): () => void {
    this.#expected++;
    return () => void this.#expected--;
  }

  drop(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }
}

/** The session that params or a result name. */
export function sessionIdOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('sessionId' in value)) return undefined;
  return typeof value.sessionId === 'string' ? value.sessionId : undefined;
}
