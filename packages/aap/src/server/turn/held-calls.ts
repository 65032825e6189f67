import type { Clock } from '@parley/wire';
import type { AapServerLimits } from '../limits.ts';
import type { CallPermission } from '../served-agent.ts';
import type { ApplicationAnswer } from '../session/aap-session-record.ts';
import type { LoggedToolCall } from './logged-turn-event.ts';

/** What becomes of a call that waits for the application. */
export type Settlement = ApplicationAnswer | { readonly kind: 'ended'; readonly by: Unanswered };

/** The reason for the missing answer. */
export type Unanswered = 'superseded' | 'expired' | 'cancelled';

/** The calls of a run that wait for the application. They are collected for a moment, to be sent together. */
export class HeldCalls {
  readonly #clock: Clock;
  readonly #limits: Pick<AapServerLimits, 'quietMs' | 'announcedMs'>;
  readonly #onQuiet: () => void;
  readonly #calls = new Map<
    string,
    { readonly event: LoggedToolCall; readonly settle: (settlement: Settlement) => void }
  >();
  /** How many announced calls may still join these. */
  #announced = 0;
  #stopTimer: (() => void) | undefined;

  constructor(clock: Clock, limits: Pick<AapServerLimits, 'quietMs' | 'announcedMs'>, onQuiet: () => void) {
    this.#clock = clock;
    this.#limits = limits;
    this.#onQuiet = onQuiet;
  }

  has(toolCallId: string): boolean {
    return this.#calls.has(toolCallId);
  }

  /** Sets how many announced calls may still join these. Returns whether the number changed. */
  announce(count: number): boolean {
    const hasChanged = count !== this.#announced;
    this.#announced = count;
    return hasChanged;
  }

  /** Keeps a call until it is settled. */
  hold(event: LoggedToolCall): Promise<Settlement> {
    return new Promise((settle) => {
      this.#calls.set(event.toolCallId, { event, settle });
    });
  }

  /** Reports a change: restarts the quiet period if there are calls to send. */
  watch(canPause: boolean): void {
    this.#stopTimer?.();
    const { quietMs, announcedMs } = this.#limits;
    const waitMs = this.#announced > 0 ? announcedMs : quietMs;
    this.#stopTimer = canPause && this.#calls.size > 0 ? this.#clock.after(waitMs, this.#onQuiet) : undefined;
  }

  /** The calls that wait for the application. */
  waiting(): readonly LoggedToolCall[] {
    return [...this.#calls.values()].map(({ event }) => event);
  }

  settle(toolCallId: string, settlement: Settlement): void {
    const held = this.#calls.get(toolCallId);
    this.#calls.delete(toolCallId);
    held?.settle(settlement);
  }

  /** No answer will come any more. */
  end(by: Unanswered): void {
    this.watch(false);
    for (const toolCallId of this.#calls.keys()) this.settle(toolCallId, { kind: 'ended', by });
  }
}

/** A settlement as the answer to a question. */
export function toPermission(settled: Settlement): CallPermission {
  switch (settled.kind) {
    case 'granted':
      return { granted: true, ...(settled.optionId !== undefined && { optionId: settled.optionId }) };
    case 'denied':
      return {
        granted: false,
        by: 'application',
        ...(settled.reason !== undefined && { reason: settled.reason }),
        ...(settled.optionId !== undefined && { optionId: settled.optionId }),
      };
    case 'result':
      return { granted: false, by: 'application' };
    case 'ended':
      return { granted: false, by: settled.by };
  }
}
