import { invalidRequest } from '@parley/acp';
import { watchFrames } from '@parley/host';
import { hubMethods, type AttendResult } from '@parley/host/hub';
import type { Principal } from '../access/token.ts';
import type { HubSessions } from '../hub/sessions/hub-sessions.ts';
import { VisibleHub } from '../hub/visible-hub.ts';
import { ChangeFeed } from './hub-changes.ts';
import {
  parseAttendParams,
  parseLookParams,
  parseSessionParams,
  parseWatchParams,
} from './params/hub-params.ts';
import { watchSession, type UnreadLimit } from './session-watch.ts';
import { TerminalFeed } from './terminal-feed.ts';

/** Options of {@link Attendance}. */
export interface AttendanceOptions {
  readonly principal: Principal;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** Settles when the client has room for the next. */
  readonly notify: (method: string, params: object) => Promise<void>;
  /** Limit of unread data. */
  readonly unread: UnreadLimit;
}

/**
 * The subscriptions of a client that supports `_parley/*`: lists and their changes, and the events, frames and output
 * of sessions.
 */
export class Attendance {
  readonly #table: HubSessions;
  readonly #options: AttendanceOptions;
  readonly #visible: VisibleHub;
  readonly #watches = new Map<string, AbortController>();
  readonly #frameWatches = new Map<string, AbortController>();
  readonly #terminals = new Map<string, TerminalFeed>();
  /** The sessions that were sent to the client. */
  readonly #shown = new Set<string>();
  #unlisten: () => void = () => {};
  #isAttending = false;
  /** Sessions that were watched before attending was set up: what they write is not heard until then. */
  readonly #early = new Set<string>();
  #isSettingUp = false;
  #answers: boolean | 'watched' = false;

  constructor(table: HubSessions, options: AttendanceOptions) {
    this.#table = table;
    this.#options = options;
    this.#visible = new VisibleHub(table, options.principal);
    options.signal.addEventListener('abort', () => {
      this.#unlisten();
      table.presence.leave(this);
      for (const watch of [...this.#watches.values(), ...this.#frameWatches.values()]) watch.abort();
    });
  }

  /** The client learns from the events of sessions what happens, instead of updates and requests. */
  get isAttending(): boolean {
    return this.#isAttending;
  }

  /** Whether it shows the questions of a session to a user. */
  answers(key: string): boolean {
    return this.#answers === 'watched' ? this.#watches.has(key) : this.#answers;
  }

  async attend(params: unknown): Promise<AttendResult> {
    const { answers = true } = parseAttendParams(params);
    const table = this.#table;
    const { notify, signal } = this.#options;
    this.#isSettingUp = !this.#isAttending;
    try {
      await table.look();
    } finally {
      this.#isSettingUp = false;
    }
    this.#unlisten();
    this.#isAttending = true;
    this.#answers = answers;
    const visible = this.#visible;
    const changes = new ChangeFeed(visible, (changed) => notify(hubMethods.update, changed));
    this.#unlisten = table.listen({
      session: (key) => {
        if (visible.sees(key)) this.#shown.add(key);
        else if (!this.#shown.delete(key)) return;
        changes.session(key);
      },
      agents: () => {
        changes.agents();
      },
      questions: (settled) => {
        changes.questions(settled !== undefined && this.#shown.has(settled.key) ? settled : undefined);
      },
      marks: (tokenId) => {
        if (tokenId === this.#options.principal.id) changes.marks();
      },
      worktrees: () => {
        changes.worktrees();
      },
      machines: () => {
        changes.machines();
      },
      terminal: (sessionId, text) => {
        if (this.#watches.has(sessionId)) this.#terminalsOf(sessionId).take(text);
      },
      log: (sessionId, text) => {
        // A client that reads too slowly misses some of it.
        if (!this.#watches.has(sessionId)) return;
        void notify(hubMethods.log, { sessionId, text }).catch(() => undefined);
      },
    });
    // It may have gone while it was looked what there is.
    if (signal.aborted) this.#unlisten();
    for (const key of this.#early) {
      // The client may have disconnected.
      if (this.#watches.has(key)) this.#sendWritten(key).catch(() => undefined);
    }
    this.#early.clear();
    const { whole } = visible;
    for (const { key } of whole.sessions) this.#shown.add(key);
    return whole;
  }

  /** Records whether the user is looking at the page. */
  look(params: unknown): object {
    const { presence } = this.#table;
    const { isLooking } = parseLookParams(params);
    // The client may have gone while it was asked.
    if (isLooking && !this.#options.signal.aborted) presence.look(this, this.#options.principal.id);
    else presence.leave(this);
    return {};
  }

  async watch(params: unknown): Promise<object> {
    const table = this.#table;
    const { sessionId, after = 0 } = parseWatchParams(params);
    await table.expect(sessionId);
    const watch = this.#beginWatch(this.#watches, sessionId);
    if (this.#isSettingUp) this.#early.add(sessionId);
    else await this.#sendWritten(sessionId);
    const { notify, unread } = this.#options;
    const send = (note: object): Promise<void> => notify(hubMethods.events, note);
    void this.#follow(
      this.#watches,
      { sessionId, watch },
      watchSession({ sessionId, store: table.store, after, signal: watch.signal, send, unread }),
    );
    return {};
  }

  unwatch(params: unknown): object {
    this.#watches.get(parseSessionParams(params).sessionId)?.abort();
    return {};
  }

  async watchFrames(params: unknown): Promise<object> {
    const { sessionId } = parseSessionParams(params);
    const log = await this.#table.framesOf(sessionId);
    const folder = this.#table.store.folderOf(sessionId);
    const watch = this.#beginWatch(this.#frameWatches, sessionId);
    const send = (note: object): Promise<void> => this.#options.notify(hubMethods.frames, note);
    void this.#follow(
      this.#frameWatches,
      { sessionId, watch },
      watchFrames({ sessionId, folder, log, signal: watch.signal, send }),
    );
    return {};
  }

  unwatchFrames(params: unknown): object {
    this.#frameWatches.get(parseSessionParams(params).sessionId)?.abort();
    return {};
  }

  /** Sends what the agent and the commands of a session have written so far. */
  async #sendWritten(sessionId: string): Promise<void> {
    const text = this.#table.logOf(sessionId);
    const sent = text === '' ? undefined : this.#options.notify(hubMethods.log, { sessionId, text });
    const written = this.#table.found(sessionId)?.terminals ?? [];
    for (const terminal of written) this.#terminalsOf(sessionId).take(terminal);
    await sent;
  }

  #terminalsOf(sessionId: string): TerminalFeed {
    const known = this.#terminals.get(sessionId);
    if (known !== undefined) return known;
    const feed = new TerminalFeed(
      (text) => this.#options.notify(hubMethods.terminal, { sessionId, ...text }),
      (terminalId) => {
        const whole = this.#table.found(sessionId)?.terminals ?? [];
        return whole.find((text) => text.terminalId === terminalId);
      },
    );
    this.#terminals.set(sessionId, feed);
    return feed;
  }

  /** Starts watching a session, in place of an earlier watch of it. @throws {RpcError} Too many watches. */
  #beginWatch(watches: Map<string, AbortController>, sessionId: string): AbortController {
    const { limits } = this.#table;
    watches.get(sessionId)?.abort();
    watches.delete(sessionId);
    if (watches.size >= limits.watches) {
      throw invalidRequest(`${String(limits.watches)} sessions are already being watched`);
    }
    const watch = new AbortController();
    watches.set(sessionId, watch);
    // The client may have gone while its session was looked for.
    if (this.#options.signal.aborted) watch.abort();
    return watch;
  }

  async #follow(
    watches: Map<string, AbortController>,
    { sessionId, watch }: { readonly sessionId: string; readonly watch: AbortController },
    watched: Promise<void>,
  ): Promise<void> {
    try {
      await watched;
    } catch (error) {
      // The client has disconnected, or what it watched was closed.
      if (!this.#options.signal.aborted) this.#table.options.onFault?.(error);
    } finally {
      if (watches.get(sessionId) === watch) {
        watches.delete(sessionId);
        if (watches === this.#watches) this.#terminals.delete(sessionId);
      }
    }
  }
}
