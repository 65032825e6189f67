import { unknownSession } from '@parley/acp';
import type { Deadline } from '@parley/wire';
import type { SessionEvent } from '../event/session-event.ts';
import type { HostContext } from '../host-context.ts';
import { HostError } from '../host-error.ts';
import { toHeldBy } from '../sandbox/held-by.ts';
import type { Arrival, ConnectedSession } from './connected-session.ts';
import type { SessionScope } from './session-scope.ts';
import type { OpeningResponse } from './settings/settings.ts';

/** Maximum number of buffered updates for sessions whose ids are not known yet; more are dropped. */
const earlyUpdateLimit = 1024;

/** The sessions that are open on one agent, by id. */
export class SessionTable {
  /** Settles when the first session is open. */
  readonly opened: Promise<void>;
  #resolveOpened: () => void = () => {};
  readonly #host: HostContext;
  readonly #sessions = new Map<string, ConnectedSession>();
  readonly #opening = new Set<Promise<unknown>>();
  /** Deadlines of sessions that are being opened. */
  readonly #deadlines = new Set<Deadline>();
  /** Updates that arrived before the response that names their session. */
  #early: Arrival[] = [];
  /** Whether it was reported that no more are stored. */
  #isFull = false;

  constructor(host: HostContext) {
    this.#host = host;
    this.opened = new Promise((resolve) => {
      this.#resolveOpened = resolve;
    });
  }

  /**
   * Returns the session or sub-agent with this id, after pending opens have finished.
   *
   * @throws {RpcError} -32002, unknown session.
   */
  async find(sessionId: string): Promise<SessionScope> {
    if (this.#sessionOf(sessionId) === undefined) await Promise.allSettled(this.#opening);
    const session = this.#sessionOf(sessionId);
    if (session === undefined) throw unknownSession(sessionId);
    return session.subagents.get(sessionId) ?? session;
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
    const { sandbox, policy } = this.#host;
    this.#sessions.set(id, session);
    this.#host.emit({
      type: 'session',
      sessionId: id,
      cwd,
      ...(additionalDirectories.length > 0 && { additionalDirectories }),
      ...(sandbox !== undefined && { sandbox: toHeldBy(sandbox, policy) }),
      origin,
    });
    this.#resolveOpened();
    if (response !== undefined) session.begin(response);
    const early = this.#early;
    this.#early = early.filter((arrival) => arrival.sessionId !== session.id);
    for (const arrival of early) if (arrival.sessionId === session.id) void session.receive(arrival);
  }

  /** The session with a running turn, else the one opened last. */
  get current(): ConnectedSession | undefined {
    const open = [...this.#sessions.values()];
    return open.findLast(({ isInTurn }) => isInTurn) ?? open.at(-1);
  }

  remove(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }

  receive(arrival: Arrival): void | Promise<void> {
    const session = this.#sessionOf(arrival.sessionId);
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

  /** Closes the resources of all sessions. */
  async endAll(): Promise<void> {
    const sessions = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.all(sessions.map((session) => session.release('agent-ended')));
  }

  /** The session of that id, or the one that the sub-agent of that id works for. */
  #sessionOf(sessionId: string): ConnectedSession | undefined {
    const open = this.#sessions.get(sessionId);
    if (open !== undefined) return open;
    for (const session of this.#sessions.values()) {
      if (session.subagents.get(sessionId) !== undefined) return session;
    }
    return undefined;
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
