import { untilAborted } from '@parley/wire';
import { AgentError } from '../agent-error.ts';
import type { AgentLimits } from '../limits.ts';

/** The sub-agents that work for a session, and those that wait until they may. */
export class Subagents {
  readonly #limits: Pick<AgentLimits, 'subagents' | 'subagentTotal'>;
  readonly #working = new Map<string, AbortController>();
  /** Lets the next one begin; the first one waits longest. */
  readonly #waiting = new Set<() => void>();
  #free: number;
  #started = 0;

  constructor(limits: Pick<AgentLimits, 'subagents' | 'subagentTotal'>) {
    this.#limits = limits;
    this.#free = limits.subagents;
  }

  /**
   * Runs a sub-agent as soon as a slot is free.
   *
   * @param signal Aborted with the turn of its parent.
   * @param work Receives a signal that is also aborted when only this sub-agent is cancelled.
   */
  async run<T>(id: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#started >= this.#limits.subagentTotal) {
      throw new AgentError(
        'limit',
        `This session has started ${String(this.#started)} sub-agents, its limit`,
      );
    }
    this.#started += 1;
    await this.#enter(signal);
    const cancelling = new AbortController();
    this.#working.set(id, cancelling);
    try {
      return await work(AbortSignal.any([signal, cancelling.signal]));
    } finally {
      this.#working.delete(id);
      this.#leave();
    }
  }

  /** Cancels the work of one, where it is among these. */
  cancel(id: string): void {
    this.#working.get(id)?.abort();
  }

  async #enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    this.#waiting.add(begin);
    try {
      await untilAborted(begun, signal);
    } catch (error) {
      // The room may have been given to it in this moment.
      if (!this.#waiting.delete(begin)) this.#leave();
      throw error;
    }
  }

  #leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
