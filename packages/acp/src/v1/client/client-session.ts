import type { Ask } from '../ask.ts';
import type { UpdateContext } from './client-context.ts';

/** A session that is open on a client's connection. */
export class ClientSession {
  /** What the handler of its updates gets beside them. */
  readonly context: UpdateContext;
  #asks: Set<Ask<unknown>> = noAsks;
  #prompts = 0;
  #loads = 0;
  #hadTurn = false;
  #isCancelling = false;

  constructor(context: UpdateContext) {
    this.context = context;
  }

  /** Whether the turns so far are over: an update of a turn is late. */
  get isBetweenTurns(): boolean {
    return this.#prompts === 0 && this.#loads === 0 && this.#hadTurn;
  }

  /** Whether the history is being sent, or the session is being resumed. */
  get isLoading(): boolean {
    return this.#loads > 0;
  }

  /** Whether the turn was cancelled and its prompt is not answered yet: the user is not asked any more. */
  get isCancelling(): boolean {
    return this.#isCancelling;
  }

  /** A prompt leaves. Returns what to call when it is settled. */
  beginTurn(): () => void {
    this.#prompts++;
    this.#hadTurn = true;
    this.#isCancelling = false;
    return () => {
      this.#prompts--;
      if (this.#prompts === 0) this.#isCancelling = false;
    };
  }

  /** The history is going to be sent. Returns what to call when the request is settled. */
  beginLoad(): () => void {
    this.#loads++;
    return () => void this.#loads--;
  }

  /** Answers what the agent asks of the user. ACP v1, Cancellation: pending permission requests answer `cancelled`. */
  cancel(): void {
    this.#isCancelling = this.#prompts > 0;
    for (const ask of this.#asks) ask.withdraw();
    this.#asks.clear();
  }

  /** Marks that a question waits for the user. Returns a function to call when it is answered. */
  addAsk(ask: Ask<unknown>): () => void {
    if (this.#asks === noAsks) this.#asks = new Set();
    this.#asks.add(ask);
    return () => void this.#asks.delete(ask);
  }
}

/** Shared by all sessions in which nothing was asked. */
const noAsks: Set<Ask<unknown>> = new Set();
