import type { ChangesEvent } from '../../event/changes-event.ts';
import type { HostEvent } from '../../event/host-event.ts';

/**
 * How soon an agent acts on a prompt, by the turns so far. One that asks a language model first takes much longer than a
 * checkpoint of the folder, so its next prompt need not wait for that.
 */
export class AgentPace {
  /** Undefined before the first turn. */
  #soonestMs: number | undefined;
  #isQuiet = false;
  #sentAt: number | undefined;
  /** Until one was measured, none is known to be fast enough. */
  #checkpointMs = Number.POSITIVE_INFINITY;

  /** @param time When the prompt is sent, in milliseconds since 1970. */
  sent(time: number): void {
    this.#sentAt = time;
  }

  /** Receives what happens. @param now Returns milliseconds since 1970; called for the first act of a turn. */
  note(event: HostEvent, now: () => number): void {
    if (this.#sentAt === undefined || !acts.has(event.type)) return;
    if (event.type === 'update' && event.replay) return;
    this.#act(now() - this.#sentAt);
  }

  /** @param ms How long the checkpoint before a turn took. */
  checkpointed(ms: number): void {
    this.#checkpointMs = ms;
  }

  /** The turn has ended, with these changes. */
  ended(changes: ChangesEvent | undefined, time: number): void {
    if (this.#sentAt !== undefined) this.#act(time - this.#sentAt);
    this.#isQuiet ||= changes?.files.some(({ reported }) => !reported) === true;
  }

  /** Whether the checkpoint before a turn will have been taken when the agent begins to act. */
  get isSlowerThanCheckpoints(): boolean {
    if (this.#isQuiet || this.#soonestMs === undefined) return false;
    return this.#soonestMs >= leastMs + margin * this.#checkpointMs;
  }

  #act(ms: number): void {
    this.#sentAt = undefined;
    this.#soonestMs = Math.max(0, Math.min(this.#soonestMs ?? ms, ms));
  }
}

/** What an agent does in a turn. Its first event shows how soon it may change files. */
const acts: ReadonlySet<HostEvent['type']> = new Set([
  'update',
  'permission-request',
  'elicitation-request',
  'file-write',
  'terminal-start',
]);

/** How much longer than a checkpoint the agent must take: the next one may find more to read. */
const margin = 4;

/** How long it must take besides. */
const leastMs = 100;
