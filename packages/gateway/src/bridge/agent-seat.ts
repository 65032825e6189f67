import type { AgentPool, AgentSlot, SlotUser } from '@parley/host';
import { startAgentProcess, type AgentProcess, type AgentProcessOptions } from './agent-process.ts';
import type { BridgeOptions } from './bridge-options.ts';
import { willDo, type LaunchPlan } from './launch-plan.ts';

/** What a seat is for. */
export interface AgentSeatOptions {
  readonly sessionId: string;
  readonly bridge: BridgeOptions;
  readonly pool: AgentPool;
  /** Told when its agent was ended to make room. */
  readonly onStopped: () => void;
}

/** What the session does for its seat. */
export interface AgentSeatUser {
  /** Its agent is ended while it waits for the application: nobody must wait for the agent any more. */
  suspend(): void;
}

interface Taken {
  readonly process: AgentProcess;
  readonly place: AgentSlot;
  state: 'used' | 'idle' | 'paused';
}

/** The agent of a session, and its place in the pool: there while it is used, and perhaps for a while longer. */
export class AgentSeat implements SlotUser {
  readonly sessionId: string;
  readonly #options: AgentSeatOptions;
  readonly #user: AgentSeatUser;
  #taken: Taken | undefined;
  #ending: Promise<void> = Promise.resolve();
  /** Those that are being ended, or wait to begin: the seat is still needed. */
  #busy = 0;

  constructor(options: AgentSeatOptions, user: AgentSeatUser) {
    this.sessionId = options.sessionId;
    this.#options = options;
    this.#user = user;
  }

  /** The agent, if one runs. */
  get process(): AgentProcess | undefined {
    return this.#taken?.process;
  }

  /** Whether there is an agent, or is about to be, or one is being ended, for which another has to wait. */
  get isNeeded(): boolean {
    return this.#taken !== undefined || this.#busy > 0;
  }

  /** The agent, with all that it has to be started with: the one that runs, if it will do, else another. */
  async take(options: TakeOptions): Promise<AgentProcess> {
    this.#busy += 1;
    try {
      return await this.#take(options);
    } finally {
      this.#busy -= 1;
    }
  }

  async #take({ onWait, ...options }: TakeOptions): Promise<AgentProcess> {
    await this.#ending;
    const taken = this.#taken;
    if (taken?.place.use() === true && canGoOn(taken.process, options.plan)) {
      taken.state = 'used';
      taken.process.setTools(options.plan.tools);
      return taken.process;
    }
    await this.end();
    const place = await this.#options.pool.acquire(this, {
      signal: options.signal,
      ...(onWait !== undefined && { onWait }),
    });
    try {
      const process = await startAgentProcess(this.#options.bridge, {
        ...options,
        sessionId: this.sessionId,
      });
      this.#taken = { process, place, state: 'used' };
      void process.handle.exited.then(() => this.#exited(process));
      return process;
    } catch (error) {
      place.release();
      throw error;
    }
  }

  /** The agent is not needed for now. */
  async leave(): Promise<void> {
    const taken = this.#taken;
    if (taken === undefined) return;
    if (taken.process.isOver) return this.end();
    if (taken.state === 'paused' && !taken.place.use()) return this.#ending;
    taken.state = 'idle';
    taken.place.idle();
  }

  /** The run waits for the application. An agent that can go on with its session may be ended meanwhile. */
  pause(): void {
    const taken = this.#taken;
    if (taken === undefined || taken.process.isOver || !taken.process.canContinue) return;
    taken.state = 'paused';
    taken.place.pause();
  }

  /** The application has answered. */
  resume(): void {
    const taken = this.#taken;
    if (taken?.state === 'paused' && taken.place.use()) taken.state = 'used';
  }

  /** Makes room for another session's agent. */
  async stop(): Promise<void> {
    if (this.#taken?.state === 'paused') this.#user.suspend();
    await this.end();
    if (!this.isNeeded) this.#options.onStopped();
  }

  /** An agent that ends by itself while nobody needs it holds no place. */
  async #exited(process: AgentProcess): Promise<void> {
    if (this.#taken?.process === process && this.#taken.state === 'idle') await this.stop();
  }

  /** Ends the agent. Never rejects. */
  end(): Promise<void> {
    if (this.#taken === undefined) return this.#ending;
    const { process, place } = this.#taken;
    this.#taken = undefined;
    this.#busy += 1;
    this.#ending = process.end().finally(() => {
      this.#busy -= 1;
      place.release();
    });
    return this.#ending;
  }
}

interface TakeOptions extends Omit<AgentProcessOptions, 'sessionId'> {
  /** All places are taken; the session waits for one. */
  readonly onWait?: (waitMs: number) => void;
}

/** Whether an agent that runs does for what is wanted now. Other tools it is only told of if it could not be started again. */
function canGoOn(process: AgentProcess, plan: LaunchPlan): boolean {
  return !process.isOver && willDo(process.plan, plan, { canChangeTools: !process.canContinue });
}
