import type { AgentInfo } from '@parley/aap';
import type { Run, RunEnd, ServedAgent } from '@parley/aap/server';
import { Redaction, unlimitedPool } from '@parley/host';
import { toAgentInfo } from './agent-info.ts';
import type { BridgeOptions } from './bridge-options.ts';
import { BridgedSession } from './bridged-session.ts';
import { planLaunch, secretsOf } from './launch-plan.ts';
import { probeAgent, toFindings, type AgentFindings } from './probe-agent.ts';

/** How long an agent may take to show what it offers. */
const defaultProbeMs = 10_000;

/** An ACP agent that is served to applications. */
export interface BridgedAgent extends ServedAgent, AsyncDisposable {
  /**
   * Finds out what the agent offers. One that does not show it is offered all the same, without options of its own until a
   * session of it was open.
   *
   * @throws {HostError} Why it does not.
   */
  probe(options?: { readonly signal?: AbortSignal }): Promise<void>;
  forget(sessionId: string): Promise<void>;
  /** How many agents run for sessions. */
  readonly processes: number;
  /** Ends all of them. No run is going on any more. */
  close(): Promise<void>;
}

/** Puts AAP in front of an ACP agent: each session has one of its own, which is started at its first run. */
export function createBridgedAgent(options: BridgeOptions): BridgedAgent {
  return new AcpBridge(options);
}

class AcpBridge implements BridgedAgent {
  readonly #options: BridgeOptions;
  readonly #sessions = new Map<string, BridgedSession>();
  #findings: AgentFindings | undefined;
  #info: AgentInfo;

  constructor(options: BridgeOptions) {
    this.#options = options;
    this.#info = toAgentInfo(options);
  }

  get info(): AgentInfo {
    return this.#info;
  }

  get processes(): number {
    return [...this.#sessions.values()].filter(({ hasProcess }) => hasProcess).length;
  }

  async probe({ signal }: { readonly signal?: AbortSignal } = {}): Promise<void> {
    const { probeMs = defaultProbeMs } = this.#options;
    const timeout = AbortSignal.timeout(probeMs);
    const plan = planLaunch(this.#options, { options: this.#defaults(), clientTools: [] });
    const until = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
    this.#learn(await probeAgent(this.#options, plan, until));
  }

  async run(run: Run): Promise<RunEnd> {
    const session = this.#sessions.get(run.sessionId) ?? this.#begin(run.sessionId);
    try {
      return await session.run(run);
    } finally {
      // What has no process has nothing that would not be found again.
      if (session.isSpent) this.#sessions.delete(run.sessionId);
    }
  }

  async forget(sessionId: string): Promise<void> {
    const session = this.#sessions.get(sessionId) ?? this.#begin(sessionId);
    await session.forget();
    this.#sessions.delete(sessionId);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.stop()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #begin(sessionId: string): BridgedSession {
    const { askMode } = this.#options;
    const session = new BridgedSession({
      sessionId,
      bridge: this.#options,
      pool: this.#options.pool ?? pool,
      preferences: () => ({ defaults: this.#defaults(), ...(askMode !== undefined && { askMode }) }),
      onOpened: (handle, opened) => {
        // What was not seen at the probe, for want of a key perhaps.
        if (this.#findings !== undefined) return;
        this.#learn(toFindings(handle, opened, new Redaction(secretsOf(this.#options, {}))));
      },
      onStopped: () => {
        if (this.#sessions.get(sessionId) === session) this.#sessions.delete(sessionId);
      },
    });
    this.#sessions.set(sessionId, session);
    return session;
  }

  #defaults(): Readonly<Record<string, string>> {
    const options = this.#info.options ?? [];
    return Object.fromEntries(options.map((option) => [option.name, option.default]));
  }

  #learn(findings: AgentFindings): void {
    this.#findings = findings;
    this.#info = toAgentInfo(this.#options, findings);
  }
}

const pool = unlimitedPool();
