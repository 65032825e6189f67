import type { AgentPool, PoolPlace, PoolTenant } from '../pool/agent-pool.ts';
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

interface Taken {
  readonly process: AgentProcess;
  readonly place: PoolPlace;
  isIdle: boolean;
}

/** The agent of a session, and its place in the pool: there while it is used, and perhaps for a while longer. */
export class AgentSeat implements PoolTenant {
  readonly sessionId: string;
  readonly #options: AgentSeatOptions;
  #taken: Taken | undefined;
  #ending: Promise<void> = Promise.resolve();

  constructor(options: AgentSeatOptions) {
    this.sessionId = options.sessionId;
    this.#options = options;
  }

  /** The agent, if one runs. */
  get process(): AgentProcess | undefined {
    return this.#taken?.process;
  }

  /** The agent, with all that it has to be started with: the one that runs, if it will do, else another. */
  async take(options: Omit<AgentProcessOptions, 'sessionId'>): Promise<AgentProcess> {
    await this.#ending;
    const taken = this.#taken;
    if (taken?.place.use() === true && canGoOn(taken.process, options.plan)) {
      taken.isIdle = false;
      taken.process.setTools(options.plan.tools);
      return taken.process;
    }
    await this.end();
    const place = await this.#options.pool.acquire(this, options);
    try {
      const process = await startAgentProcess(this.#options.bridge, {
        ...options,
        sessionId: this.sessionId,
      });
      this.#taken = { process, place, isIdle: false };
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
    taken.isIdle = true;
    taken.place.idle();
  }

  /** Makes room for another session's agent. */
  async stop(): Promise<void> {
    await this.end();
    this.#options.onStopped();
  }

  /** An agent that ends by itself while nobody needs it holds no place. */
  async #exited(process: AgentProcess): Promise<void> {
    if (this.#taken?.process === process && this.#taken.isIdle) await this.stop();
  }

  /** Ends the agent. Never rejects. */
  end(): Promise<void> {
    if (this.#taken === undefined) return this.#ending;
    const { process, place } = this.#taken;
    this.#taken = undefined;
    this.#ending = process.end().finally(() => place.release());
    return this.#ending;
  }
}

/** Whether an agent that runs does for what is wanted now. Other tools it is only told of if it could not be started again. */
function canGoOn(process: AgentProcess, plan: LaunchPlan): boolean {
  return !process.isOver && willDo(process.plan, plan, { canChangeTools: !process.canContinue });
}
