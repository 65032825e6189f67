import type { Session } from '@parley/host';
import type { HubQuestion } from '@parley/host/hub';

/** The sessions that are steered from here. */
export class SteeredSessions {
  readonly #sessions = new Map<string, Session>();
  readonly #reading = new Map<string, Promise<Session>>();
  #isEnding = false;

  get all(): ReadonlyMap<string, Session> {
    return this.#sessions;
  }

  /** Those of all sessions, the oldest first. */
  get questions(): readonly HubQuestion[] {
    return [...this.#sessions.values()]
      .flatMap(({ questions }) => questions)
      .toSorted((left, right) => left.since - right.since);
  }

  get(key: string): Session | undefined {
    return this.#sessions.get(key);
  }

  /** Reads a session, once for all that wait for it: they continue in the order in which they came. */
  whenRead(key: string, read: () => Promise<Session>): Promise<Session> {
    const reading = this.#reading.get(key) ?? read().finally(() => this.#reading.delete(key));
    this.#reading.set(key, reading);
    return reading;
  }

  add(session: Session): void {
    this.#sessions.set(session.sessionId, session);
  }

  delete(key: string): void {
    this.#sessions.delete(key);
  }

  /** Whether the agent of a session runs here, or is about to, or a client waits for a prompt in its queue: until the hub closes. */
  isActive(key: string): boolean {
    const session = this.#sessions.get(key);
    if (session === undefined) return false;
    const { isBusy, isAwaited } = session.turns;
    return !session.isAtRest || isBusy || (isAwaited && !this.#isEnding);
  }

  /** Stores the queue and the title of a session. */
  async write(key: string): Promise<void> {
    await this.#sessions.get(key)?.notes.write();
  }

  /** A session at rest is read again when it is needed: another replica may have it by then. One that failed still says why. */
  rest(key: string): void {
    if (!this.isActive(key) && this.#sessions.get(key)?.shown.state !== 'failed') this.#sessions.delete(key);
  }

  /**
   * Ends the agents of all sessions; those that are busy have their time.
   *
   * @param onLeft Called with those that are not done, and that no other session has begun: delegates end with their parents.
   */
  end(graceMs: number, onLeft: (key: string) => Promise<void>): readonly Promise<void>[] {
    this.#isEnding = true;
    return Array.from(this.#sessions.values(), async (session) => {
      const { turns, notes } = session;
      const isDelegate = session.shown.parent !== undefined;
      const isLeft = !isDelegate && (turns.isBusy || (turns.queue.prompts.length > 0 && !turns.queue.isHeld));
      notes.end();
      turns.hold();
      await turns.settled(graceMs);
      await session.shutDown({ graceMs: lastCancelMs });
      if (isLeft) await onLeft(session.sessionId);
    });
  }

  /** Another replica has a session: what is known of it here is outdated, its agent is ended, and clients that wait ask the other one. */
  lose(key: string): void {
    const session = this.#sessions.get(key);
    this.#sessions.delete(key);
    void session?.leave();
  }
}

/** How long an agent may take to end its turn when the hub closes. */
const lastCancelMs = 2000;
