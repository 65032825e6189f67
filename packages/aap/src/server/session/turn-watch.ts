import type { ServerContext } from '../server-context.ts';
import type { AapTurnOutcome, TurnStarted } from './aap-session-record.ts';

/** Notifies an observer of the outcome of the turns of a session, and of their duration. */
export class TurnWatch {
  readonly #sessionId: string;
  readonly #context: ServerContext;
  #turn = { sessionId: '', turnId: '', agent: '' };
  #startedAt = 0;

  constructor(sessionId: string, context: ServerContext) {
    this.#sessionId = sessionId;
    this.#context = context;
  }

  /** A turn was accepted. */
  started({ turnId, agent }: TurnStarted): void {
    this.#startedAt = this.#context.clock.now();
    this.#turn = { sessionId: this.#sessionId, turnId, agent: agent.name };
    this.#context.observe({ type: 'turn-start', ...this.#turn });
  }

  /** The agent said something for the first time. */
  said(): void {
    this.#context.observe({ type: 'first-event', ...this.#turn, ms: this.#ms() });
  }

  /** It is over. */
  stopped({ stopReason, detail }: AapTurnOutcome): void {
    this.#context.observe({
      type: 'turn-stop',
      ...this.#turn,
      stopReason,
      ...(detail !== undefined && { detail }),
      ms: this.#ms(),
    });
  }

  #ms(): number {
    return this.#context.clock.now() - this.#startedAt;
  }
}
