/** How a turn is driven to its end. */
export interface TurnSteps {
  /** Tells the agent that the turn is cancelled. */
  tellAgent(): void;
  /** Ends the agent, which did not end the turn in time. */
  endAgent(): void;
}

/** One prompt turn on its way from the prompt to the end, and the ladder that a cancel goes down. */
export class Turn {
  /** Settles when the turn has ended. Never rejects. */
  readonly ended: Promise<void>;
  readonly #steps: TurnSteps;
  readonly #questions = new AbortController();
  #resolveEnded: () => void = () => {};
  #graceEnd = Number.POSITIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isAgentEnded = false;

  constructor(steps: TurnSteps) {
    this.#steps = steps;
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
  }

  /** Aborted at the cancel: open questions are answered `cancelled`, and none is asked any more. */
  get questionSignal(): AbortSignal {
    return this.#questions.signal;
  }

  get isCancelled(): boolean {
    return this.#questions.signal.aborted;
  }

  /** Whether the agent had to be ended. */
  get isAgentEnded(): boolean {
    return this.#isAgentEnded;
  }

  /** The first step down, or a shorter grace on the way. */
  cancel(graceMs: number): void {
    if (!this.isCancelled) {
      // ACP v1, Cancellation: first the notification, then the answers to what is open.
      this.#steps.tellAgent();
      this.#questions.abort();
    }
    const graceEnd = performance.now() + graceMs;
    if (graceEnd >= this.#graceEnd) return;
    this.#graceEnd = graceEnd;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#endAgent(), graceMs);
  }

  /** The agent has answered the prompt, or cannot any more. */
  end(): void {
    clearTimeout(this.#timer);
    this.#resolveEnded();
  }

  #endAgent(): void {
    this.#isAgentEnded = true;
    this.#steps.endAgent();
  }
}
