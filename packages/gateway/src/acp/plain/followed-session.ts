import type { ClientCapabilities } from '@parley/acp';
import type { LoggedEvent, SessionStore } from '@parley/host';
import { eventNumber, type ReceivedUpdates } from '@parley/host/hub';
import type { ExtensionNotice } from '../../hub/sessions/session-clients.ts';
import { watchSession, type UnreadLimit } from '../session-watch.ts';
import { SessionUpdates } from './session-updates.ts';
import type { UpdateParams } from './update-params.ts';

/** Which earlier events to send. Events that the client has already received are not repeated. */
export type Replay = 'all' | 'none' | ReceivedUpdates;

/** What of a session a client follows, and how it is sent. */
export interface FollowedSessionOptions {
  readonly key: string;
  readonly store: SessionStore;
  readonly replay: Replay;
  /** Whether the client is sent the numbers of events. */
  readonly numbersEvents: boolean;
  /** What the client declared. */
  readonly capabilities: ClientCapabilities;
  readonly isOwnPrompt: (promptId: string) => boolean;
  /** Sends a notification; settles when the client has room for the next. */
  readonly notify: (method: string, params: unknown) => Promise<void>;
  /** Limit of unread data. */
  readonly unread: UnreadLimit;
  /** The client knows this event, and all before it. */
  readonly onSent: (event: LoggedEvent) => void;
}

/** A session that a client of plain ACP has open: its events, as `session/update` says them, in order. */
export class FollowedSession {
  readonly #options: FollowedSessionOptions;
  readonly #ending = new AbortController();
  readonly #updates: SessionUpdates;
  readonly #notices: ExtensionNotice[] = [];
  readonly #waiting = new Set<{ readonly seq: number; readonly resolve: () => void }>();
  #seq = 0;
  /** Updates that the client has received before. */
  #known: number;
  #isCaughtUp = false;
  #catchUp: () => void = () => {};
  /** Settles when all earlier events are sent, or nothing more will be. Never rejects. */
  readonly caughtUp: Promise<void> = new Promise((resolve) => {
    this.#catchUp = resolve;
  });
  /** Settles when it is not followed any more. Rejects when it cannot be. */
  readonly ended: Promise<void>;

  constructor(options: FollowedSessionOptions) {
    this.#options = options;
    const { key: sessionId, store, unread, replay, capabilities } = options;
    this.#updates = new SessionUpdates({ key: sessionId, capabilities });
    this.#known = typeof replay === 'object' ? replay.updates : 0;
    const { signal } = this.#ending;
    this.ended = watchSession({
      sessionId,
      store,
      after: 0,
      signal,
      unread,
      send: async ({ events, isCaughtUp }) => {
        for (const event of events) await this.#take(event);
        if (isCaughtUp && !this.#isCaughtUp) {
          this.#isCaughtUp = true;
          this.#catchUp();
        }
      },
    })
      .catch((error: unknown) => {
        if (!signal.aborted) throw error;
      })
      .finally(() => {
        this.#catchUp();
        this.#release(Infinity);
      });
  }

  /** The settings that the session offers to its clients, as sent last. */
  get settings(): SessionUpdates['settings'] {
    return this.#updates.settings;
  }

  /** The number of the last event that was sent. */
  get seq(): number {
    return this.#seq;
  }

  get isCaughtUp(): boolean {
    return this.#isCaughtUp;
  }

  /** Whether the client was sent a sub-agent of that id. */
  hasSubagent(sessionId: string): boolean {
    return this.#updates.hasSubagent(sessionId);
  }

  /** Settles when the event with this number is sent, or nothing more will be. Never rejects. */
  async sent(seq: number): Promise<void> {
    if (this.#seq >= seq || this.#ending.signal.aborted) return;
    await new Promise<void>((resolve) => {
      this.#waiting.add({ seq, resolve });
    });
  }

  /** Sends what a client that loaded or resumed the session needs after the response. */
  async sendAfterLoad(): Promise<void> {
    for (const params of this.#updates.afterLoad()) await this.#notify(params, this.#seq);
  }

  /** Sends an agent's notification that is not part of the protocol, after the events before it. */
  take(notice: ExtensionNotice): void {
    if (this.#notices.length < mostNotices) this.#notices.push(notice);
    if (this.#isCaughtUp && this.#seq >= notice.after) void this.#sendNotices().catch(() => undefined);
  }

  end(): void {
    this.#ending.abort();
    this.#release(Infinity);
  }

  async #take(event: LoggedEvent): Promise<void> {
    const { replay, isOwnPrompt, onSent } = this.#options;
    const isPast = typeof replay === 'object' ? event.seq <= replay.event : !this.#isCaughtUp;
    const updates = this.#updates.take(event, { isPast, isOwnPrompt });
    if (!isPast || replay === 'all') {
      for (const [index, update] of updates.entries()) {
        await this.#send(update, index === updates.length - 1 ? event.seq : undefined);
      }
    }
    this.#seq = event.seq;
    await this.#sendNotices();
    onSent(event);
    this.#release(event.seq);
  }

  /** @param number Of the event, with its last update. */
  async #send(params: UpdateParams, number: number | undefined): Promise<void> {
    if (this.#known > 0) this.#known -= 1;
    else await this.#notify(params, number);
  }

  async #notify(
    { sessionId = this.#options.key, update, _meta }: UpdateParams,
    number: number | undefined,
  ): Promise<void> {
    const { notify, numbersEvents } = this.#options;
    const meta = numbersEvents && number !== undefined ? { ..._meta, [eventNumber]: number } : _meta;
    await notify('session/update', { sessionId, update, ...(meta !== undefined && { _meta: meta }) });
  }

  async #sendNotices(): Promise<void> {
    for (;;) {
      const [first] = this.#notices;
      if (first === undefined || first.after > this.#seq) return;
      this.#notices.shift();
      await this.#options.notify(first.method, first.params);
    }
  }

  #release(seq: number): void {
    for (const waiting of this.#waiting) {
      if (waiting.seq > seq) continue;
      this.#waiting.delete(waiting);
      waiting.resolve();
    }
  }
}

/** Maximum number of such notifications that wait for earlier events; more are dropped. */
const mostNotices = 10_000;
