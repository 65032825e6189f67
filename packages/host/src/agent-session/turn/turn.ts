import { limitReached, type TurnLimit, type TurnTime } from './turn-time.ts';

/** How a turn is driven to its end. */
export interface TurnSteps {
  /** Sends the agent the cancellation of the turn. */
  cancelAtAgent(): void;
  /** Cancels the prompt as a request: some agents hear that, and not the notification. */
  cancelRequest(): void;
  /** Ends the agent, which did not end the turn in time. */
  endAgent(): void;
}

/** Last part of the grace period, after the prompt was also cancelled as a request. */
const lastGraceMs = 1000;

/** A prompt turn from the prompt to its end, with the steps of a cancellation. */
export class Turn {
  /** Settles when the turn has ended. Never rejects. */
  readonly ended: Promise<void>;
  readonly time: TurnTime;
  readonly #steps: TurnSteps;
  /** Created when the agent asks its first question; most turns need none. */
  readonly #questions = new AbortController();
  #isCancelled = false;
  #resolveEnded: () => void = () => {};
  #graceEnd = Number.POSITIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isRequestCancelled = false;
  #isAgentEnded = false;
  #isAnswered = false;
  #reached: TurnLimit | undefined;
  #cancelReason: typeof limitReached | undefined;

  constructor(steps: TurnSteps, time: TurnTime) {
    this.#steps = steps;
    this.time = time;
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
  }

  /** Aborted on cancellation: open questions are answered `cancelled`, and later ones are not shown. */
  get questionSignal(): AbortSignal {
    return this.#questions.signal;
  }

  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  /** Whether the agent had to be ended. */
  get isAgentEnded(): boolean {
    return this.#isAgentEnded;
  }

  /** The limit for which it was cancelled. */
  get reached(): TurnLimit | undefined {
    return this.#reached;
  }

  /** The reason with which its open questions end, where no user cancelled it. */
  get cancelReason(): typeof limitReached | undefined {
    return this.#cancelReason;
  }

  /** A limit is reached: the turn is cancelled for it. */
  expire(limit: TurnLimit, graceMs: number): void {
    this.#reached = limit;
    this.cancel(graceMs, limitReached);
  }

  /** The first step down, or a shorter grace on the way. */
  cancel(graceMs: number, reason?: typeof limitReached): void {
    if (this.#isAnswered) return;
    if (!this.#isCancelled) {
      this.#cancelReason = reason;
      // Before the notification, which ends open requests with another reason. They are answered after it.
      if (reason !== undefined) this.#questions.abort(reason);
      // ACP v1, Cancellation: first the notification, then the answers to what is open.
      this.#steps.cancelAtAgent();
      this.#isCancelled = true;
      this.#questions.abort();
    }
    const graceEnd = performance.now() + graceMs;
    if (graceEnd >= this.#graceEnd) return;
    this.#graceEnd = graceEnd;
    clearTimeout(this.#timer);
    const lastMs = Math.min(lastGraceMs, graceMs / 5);
    this.#timer = setTimeout(() => this.#cancelRequest(lastMs), graceMs - lastMs);
  }

  /** The agent has answered the prompt, or cannot any more: a cancel only waits for the end from now on. */
  answered(): void {
    this.#isAnswered = true;
    clearTimeout(this.#timer);
    this.time.stop();
  }

  /** Marks the turn as finished. */
  end(): void {
    this.answered();
    this.#resolveEnded();
  }

  #cancelRequest(lastMs: number): void {
    if (!this.#isRequestCancelled) this.#steps.cancelRequest();
    this.#isRequestCancelled = true;
    this.#timer = setTimeout(() => this.#endAgent(), lastMs);
  }

  #endAgent(): void {
    this.#isAgentEnded = true;
    this.#steps.endAgent();
  }
}
