import type { AgentPool, AgentSlot, SlotUser } from '../../agent/pool/agent-pool.ts';
import { HostError } from '../../host-error.ts';
import type { HubSessionState } from '../../hub/hub-session.ts';
import type { AgentRun } from './agent-run.ts';

/** Options of {@link OnDemandAgent}. */
export interface OnDemandAgentOptions {
  readonly user: SlotUser;
  readonly pool: AgentPool;
  /** Starts the agent. */
  readonly start: (signal: AbortSignal) => Promise<AgentRun>;
  /** Whether other work needs the agent. */
  readonly isNeeded: () => boolean;
  readonly onState?: (state: HubSessionState, failure?: string) => void;
  /** Its start waits for a place, and so many sessions do before it. */
  readonly onAhead?: (ahead: number) => void;
  /** How long its start may wait for a slot. @default the limit of the pool */
  readonly waitMs?: () => number | undefined;
  /** Its start waits for a place, at most so long. */
  readonly onWait?: (waitMs: number) => void;
}

interface Taken {
  readonly run: AgentRun;
  readonly place: AgentSlot;
  /** Whether its session waits for an application: another session may then use its slot. */
  isPaused: boolean;
}

/** The agent of a session, and its place in the pool: there while it is used, and perhaps for a while longer. */
export class OnDemandAgent {
  readonly #options: OnDemandAgentOptions;
  #taken: Taken | undefined;
  #opening: Promise<AgentRun> | undefined;
  #ending: Promise<void> = Promise.resolve();
  #isEnding = false;
  #isLeft = false;
  /** Aborts what is being started. */
  #wanted = new AbortController();
  /** What is being done with the agent, besides turns. */
  #uses = 0;

  constructor(options: OnDemandAgentOptions) {
    this.#options = options;
  }

  /** The agent, if one runs. */
  get run(): AgentRun | undefined {
    return this.#taken?.run;
  }

  /** Its session waits for an application: it may be ended for another session's. */
  get isPaused(): boolean {
    return this.#taken?.isPaused === true;
  }

  /** No agent runs, is being started, or is being ended. */
  get isGone(): boolean {
    return this.#taken === undefined && this.#opening === undefined && !this.#isEnding;
  }

  /** Does something with the agent, which is started if need be. */
  async use<T>(work: (run: AgentRun) => Promise<T>): Promise<T> {
    this.#uses += 1;
    try {
      return await work(await this.take());
    } finally {
      this.#uses -= 1;
      this.rest();
    }
  }

  /** The agent, started if need be. */
  async take(): Promise<AgentRun> {
    await this.#ending;
    if (this.#taken?.place.use() === true) return this.#taken.run;
    // It is being stopped, for another session.
    await this.#ending;
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  /** Marks the agent as needed: it keeps its slot. */
  wake(): void {
    this.#taken?.place.use();
  }

  /** Allows another session to use the slot, after the wait for the application has taken a while. */
  pause(): void {
    if (this.#taken === undefined) return;
    this.#taken.isPaused = true;
    this.#taken.place.pause();
  }

  /** The application has answered. An agent that is being ended by now stays paused. */
  resume(): void {
    if (this.#taken?.isPaused === true && this.#taken.place.use()) this.#taken.isPaused = false;
  }

  /** If nothing is being done, another session may have the place. */
  rest(): void {
    if (this.#uses === 0 && !this.#options.isNeeded()) this.#taken?.place.idle();
  }

  /** Aborts a start. */
  abandonStart(): void {
    if (this.#taken === undefined) this.#wanted.abort();
  }

  /** Another owner runs the session's agent from now on: none is started here any more. */
  leave(): void {
    this.#isLeft = true;
  }

  /** Ends the agent, or its start. Never rejects. */
  async end(failure?: string): Promise<void> {
    this.#wanted.abort();
    await this.#opening?.catch(() => undefined);
    const taken = this.#taken;
    this.#taken = undefined;
    if (taken !== undefined) {
      this.#isEnding = true;
      this.#options.onState?.('stopping');
      this.#ending = taken.run.end().finally(() => {
        this.#isEnding = false;
        taken.place.release();
        this.#options.onState?.(failure === undefined ? 'kept' : 'failed', failure);
      });
    }
    await this.#ending;
  }

  async #open(): Promise<AgentRun> {
    if (this.#isLeft) {
      throw new HostError('handed-over', 'start an agent: another machine runs the session now');
    }
    const { start, onState } = this.#options;
    this.#wanted = new AbortController();
    const { signal } = this.#wanted;
    onState?.('starting');
    try {
      const place = await this.#acquire(signal);
      try {
        const run = await start(signal);
        this.#taken = { run, place, isPaused: false };
        return run;
      } catch (error) {
        place.release();
        throw error;
      }
    } catch (error) {
      if (signal.aborted) onState?.('kept');
      else if (error instanceof HostError && error.code === 'already-open') onState?.('elsewhere');
      else onState?.('failed', error instanceof Error ? error.message : String(error));
      throw error;
    }
  }

  async #acquire(signal: AbortSignal): Promise<AgentSlot> {
    const { user, pool, onState, onAhead, onWait } = this.#options;
    const waitMs = this.#options.waitMs?.();
    let waits = 0;
    const place = await pool.acquire(user, {
      signal,
      onAhead: (ahead) => {
        waits += 1;
        onAhead?.(ahead);
      },
      ...(waitMs !== undefined && { waitMs }),
      ...(onWait !== undefined && { onWait }),
    });
    // Where it had to wait, only now it starts.
    if (waits > 0) onState?.('starting');
    return place;
  }
}
