import { type Meta, metaOf } from '../../meta.ts';
import type { NotificationContext, RequestContext } from '../context.ts';

/** What a client's handler of a notification, or of an extension, knows beside the params. */
export interface ClientNotificationContextOf<AgentPeer> extends NotificationContext {
  /** The agent, called on behalf of what is being handled. */
  readonly agent: AgentPeer;
}

/** What a client's request handler knows beside the params. */
export interface ClientContextOf<AgentPeer> extends RequestContext, ClientNotificationContextOf<AgentPeer> {}

/**
 * What the handler of `session/update` knows beside the params. There is one for each session: what it says holds
 * until the handler is done with its update, not longer.
 */
export interface UpdateContextOf<AgentPeer> extends ClientNotificationContextOf<AgentPeer> {
  /** Whether the update belongs to a turn, and came after the answer to its prompt. */
  readonly isLate: boolean;
  /** Whether it came before the answer that loads or resumes its session: it says what was. */
  readonly isHistory: boolean;
  /** The JSON of the update exactly as received, for clients that store it; undefined if only its value is known. */
  readonly updateText: string | undefined;
}

/** The context of the updates of one session; it is set again for each update. */
export class UpdateContext implements UpdateContextOf<unknown> {
  readonly agent: unknown;
  readonly #connection: { readonly signal: AbortSignal };
  #raw: unknown;
  #isLate = false;
  #isHistory = false;
  #updateText: string | undefined;

  constructor(agent: unknown, connection: { readonly signal: AbortSignal }) {
    this.agent = agent;
    this.#connection = connection;
  }

  get signal(): AbortSignal {
    return this.#connection.signal;
  }

  get raw(): unknown {
    return this.#raw;
  }

  get isLate(): boolean {
    return this.#isLate;
  }

  get isHistory(): boolean {
    return this.#isHistory;
  }

  get updateText(): string | undefined {
    return this.#updateText;
  }

  get meta(): Meta {
    return metaOf(this.#raw) ?? {};
  }

  /** The update was handled: its text is not needed any more. */
  forgetText(): void {
    this.#updateText = undefined;
  }

  set(raw: unknown, isLate: boolean, isHistory: boolean, updateText: string | undefined): void {
    this.#raw = raw;
    this.#isLate = isLate;
    this.#isHistory = isHistory;
    this.#updateText = updateText;
  }
}
