import type { AgentOffer, BridgedAgent } from '@parley/gateway';
import { HostError } from '@parley/host';
import { atMost, systemClock } from '@parley/wire';
import { messageOf, type Log } from './log.ts';

/** How long a probe of an agent may take. */
export const probeMs = 30_000;

/** How long applications wait for the probes. */
const defaultWaitMs = 10_000;

/** What an agent offers. */
export type ProbedAgent = Required<AgentOffer>;

/** An agent that can be probed. */
type Probed = Pick<BridgedAgent, 'info' | 'probe'>;

/** How agents are probed. */
export interface AgentProbesOptions {
  readonly log: Log;
  /** Aborts the probes. */
  readonly signal: AbortSignal;
  readonly onProbed: (name: string, probed: ProbedAgent) => void;
  /** How long `settled` waits at most. @default 10000 */
  readonly waitMs?: number;
}

/** Probes agents in the background, all at the same time: one that cannot show what it offers is offered all the same. */
export class AgentProbes {
  readonly #options: AgentProbesOptions;
  readonly #ending = new AbortController();
  readonly #running = new Set<Promise<void>>();
  #settled: Promise<void> = Promise.resolve();

  constructor(options: AgentProbesOptions) {
    this.#options = options;
  }

  /** Settles when all that were begun have ended, or have taken as long as is waited for them. */
  get settled(): Promise<void> {
    return this.#settled;
  }

  begin(agents: readonly Probed[]): void {
    if (agents.length === 0) return;
    const looks = agents.map((agent) => this.#look(agent));
    for (const look of looks) {
      this.#running.add(look);
      void look.then(() => this.#running.delete(look));
    }
    const probed = Promise.all([this.#settled, ...looks]);
    this.#settled = atMost(this.#options.waitMs ?? defaultWaitMs, systemClock, probed);
  }

  /** Aborts those that still run. */
  async close(): Promise<void> {
    this.#ending.abort();
    await Promise.all(this.#running);
  }

  async #look(agent: Probed): Promise<void> {
    const { log, signal, onProbed } = this.#options;
    const { name } = agent.info;
    const until = AbortSignal.any([signal, this.#ending.signal]);
    try {
      const probed = await agent.probe({ signal: until });
      log.info('agent', { agent: name, version: agent.info.version });
      onProbed(name, probed);
    } catch (error) {
      if (until.aborted) return;
      log.warn('the agent could not be probed, and is served without options', {
        agent: name,
        code: error instanceof HostError ? error.code : 'internal',
        error: isLate(error) ? 'the time limit was reached' : messageOf(error),
      });
    }
  }
}

/** Whether the probe was aborted; the server continues to start. */
function isLate(error: unknown): boolean {
  return error instanceof HostError && error.code === 'aborted';
}
