import { unknownSession } from '@parley/acp';
import type { Deadline } from '@parley/wire';
import type { SessionEvent } from '../event/session-event.ts';
import type { HostContext } from '../host-context.ts';
import { HostError } from '../host-error.ts';
import type { Arrival, ConnectedSession } from './connected-session.ts';
import type { OpeningResponse } from './settings/settings.ts';

/** How many updates are kept for sessions whose ids are not known yet; more are dropped. */
const earlyUpdateLimit = 1024;

/** The sessions that are open on one agent, by id. */
export class SessionTable {
  readonly #host: HostContext;
  readonly #sessions = new Map<string, ConnectedSession>();
  readonly #opening = new Set<Promise<unknown>>();
  /** Deadlines of sessions that are being opened. */
  readonly #deadlines = new Set<Deadline>();
  /** What came before the answer that names its session was looked at. */
  #early: Arrival[] = [];
  /** Whether it was reported that no more are stored. */
  #isFull = false;

  constructor(host: HostContext) {
    this.#host = host;
  }

  /**
   * The session of that id, now or when those being opened are.
   *
   * @throws {RpcError} -32002, there is none.
   */
  async find(sessionId: string): Promise<ConnectedSession> {
    if (!this.#sessions.has(sessionId)) await Promise.allSettled(this.#opening);
    const session = this.#sessions.get(sessionId);
    if (session === undefined) throw unknownSession(sessionId);
    return session;
  }

  /** Keeps early updates while a session is being opened. */
  async whileOpening<T>(open: () => Promise<T>): Promise<T> {
    const opening = open();
    this.#opening.add(opening);
    try {
      return await opening;
    } finally {
      this.#opening.delete(opening);
      if (this.#opening.size === 0) this.#dropEarly();
    }
  }

  /** Registers the deadline of a session that is being opened, until the returned function is called. */
  watchOpening(deadline: Deadline): () => void {
    this.#deadlines.add(deadline);
    return () => void this.#deadlines.delete(deadline);
  }

  /** Pauses the deadlines of sessions that are being opened while a user is asked, until the returned function is called. */
  pauseOpening(): () => void {
    const resumes = Array.from(this.#deadlines, (deadline) => deadline.pause());
    return () => {
      for (const resume of resumes) resume();
    };
  }

  /**
   * Adds a session, emits its event, and delivers what came for it already.
   *
   * @param response The answer that opened it, when that has come: the session is ready then.
   * @throws {HostError} `already-open`
   */
  add(session: ConnectedSession, origin: SessionEvent['origin'], response?: OpeningResponse): void {
    if (this.#sessions.has(session.id)) {
      throw new HostError('already-open', `session ${JSON.stringify(session.id)} is open already`);
    }
    const { id, cwd, additionalDirectories } = session;
    this.#sessions.set(id, session);
    this.#host.emit({
      type: 'session',
      sessionId: id,
      cwd,
      ...(additionalDirectories.length > 0 && { additionalDirectories }),
      origin,
    });
    if (response !== undefined) session.begin(response);
    const early = this.#early;
    this.#early = early.filter((arrival) => arrival.sessionId !== session.id);
    for (const arrival of early) if (arrival.sessionId === session.id) void session.receive(arrival);
  }

  remove(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }

  receive(arrival: Arrival): void | Promise<void> {
    const session = this.#sessions.get(arrival.sessionId);
    if (session !== undefined) return session.receive(arrival);
    // The protocol's side has reported it already.
    if (this.#opening.size === 0) return;
    if (this.#early.length < earlyUpdateLimit) {
      this.#early.push(arrival);
      return;
    }
    if (this.#isFull) return;
    this.#isFull = true;
    const message = `more than ${earlyUpdateLimit} updates came early; the others are dropped`;
    this.#host.diagnose('warning', 'limit-reached', message);
  }

  /** Ends what the sessions hold. */
  async endAll(): Promise<void> {
    const sessions = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.all(sessions.map((session) => session.release('agent-ended')));
  }

  #dropEarly(): void {
    for (const id of new Set(this.#early.map((arrival) => arrival.sessionId))) {
      const message = `session/update: session ${id} was not opened; what came for it early was dropped`;
      this.#host.diagnose('warning', 'unknown-session', message);
    }
    this.#early = [];
    this.#isFull = false;
  }
}
