import type { SessionUpdate } from '@parley/acp';
import type { HostEvent } from '@parley/host';
import { systemClock, type Clock } from '@parley/wire';

/** What the keys do depends on. */
export interface TurnKeys {
  /** Whether the turn was cancelled. */
  readonly isStopping: boolean;
  /** Whether text can be sent into the turn. */
  readonly takesSteering: boolean;
}

const steeringHelp = 'Enter sends a line into the turn, Tab queues it';
const queueHelp = 'type to queue a follow-up';

/** How long a turn has been running, and what it has used, as far as the agent reports it. */
export class TurnActivity {
  readonly #clock: Clock;
  #startedAt = 0;
  /** The requests that wait for an answer: the keys type it. */
  readonly #questions = new Set<string>();
  #used: { readonly used: number; readonly size: number } | undefined;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  begin(): void {
    this.#startedAt = this.#clock.now();
  }

  take(update: SessionUpdate): void {
    if (update.sessionUpdate === 'usage_update') this.#used = { used: update.used, size: update.size };
  }

  /** Notes a question that opens or ends. */
  takeQuestion(event: HostEvent): void {
    if (event.type === 'permission-request' || event.type === 'elicitation-request') {
      this.#questions.add(event.requestId);
    } else if (event.type === 'permission' || event.type === 'elicitation') {
      this.#questions.delete(event.requestId);
    }
  }

  /** What runs, and what the keys do meanwhile, in one line. */
  text({ isStopping, takesSteering }: TurnKeys): string {
    const typing = takesSteering ? steeringHelp : queueHelp;
    const keys = this.#questions.size > 0 ? ['Ctrl-C stops'] : ['Ctrl-C stops', typing];
    const seconds = Math.floor((this.#clock.now() - this.#startedAt) / 1000);
    const facts = [
      `${isStopping ? 'Stopping…' : 'Working…'} ${toDuration(seconds)}`,
      ...(this.#used === undefined ? [] : [toTokens(this.#used)]),
      ...(isStopping ? ['Ctrl-C again leaves'] : keys),
    ];
    return facts.join(' · ');
  }
}

function toDuration(seconds: number): string {
  return seconds < 60
    ? `${String(seconds)} s`
    : `${String(Math.floor(seconds / 60))} min ${String(seconds % 60)} s`;
}

function toTokens({ used, size }: { readonly used: number; readonly size: number }): string {
  return `${toCount(used)} of ${toCount(size)} tokens`;
}

function toCount(count: number): string {
  if (count < 1000) return String(count);
  return count < 1_000_000 ? `${(count / 1000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}
