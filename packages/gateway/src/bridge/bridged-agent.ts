import type { AgentInfo } from '@parley/aap';
import type { Run, RunEnd, ServedAgent } from '@parley/aap/server';
import {
  probeAgent,
  redactError,
  redactEvent,
  redactInfo,
  Redaction,
  redactSettings,
  settingsOf,
  unlimitedPool,
  type AgentProbe,
  type Policy,
  type SessionRuntime,
  type Settings,
} from '@parley/host';
import type { AgentOffer } from '../hub/agents/agent-offer.ts';
import { toAgentInfo, type AgentFindings } from './agent-info.ts';
import type { BridgeOptions } from './bridge-options.ts';
import { BridgedSession } from './bridged-session.ts';
import { planLaunch, secretsOf } from './launch-plan.ts';

/** Default time limit of a probe. */
const defaultProbeMs = 10_000;

/** An ACP agent that is served to applications. */
export interface BridgedAgent extends ServedAgent, AsyncDisposable {
  /**
   * Asks the agent for its capabilities. If that fails, the agent is served without options until one of its sessions
   * was open.
   *
   * @throws {HostError} Why the probe failed.
   */
  probe(options?: { readonly signal?: AbortSignal }): Promise<Required<AgentOffer>>;
  forget(sessionId: string): Promise<void>;
  /** Number of agent processes for sessions. */
  readonly processes: number;
  /** Ends all of them. No run is active any more. */
  close(): Promise<void>;
}

/** Serves an ACP agent over AAP. Each session has its own agent process, which starts with its first run. */
export function createBridgedAgent(options: BridgeOptions): BridgedAgent {
  return new AcpBridge(options);
}

class AcpBridge implements BridgedAgent {
  readonly #options: BridgeOptions;
  readonly #sessions = new Map<string, BridgedSession>();
  /** Those that were released, and whose agents are being ended. */
  readonly #released = new Set<BridgedSession>();
  readonly #runtime: SessionRuntime;
  /** Hides secrets of the agent from applications. */
  readonly #redaction: Redaction;
  #findings: AgentFindings | undefined;
  #info: AgentInfo;

  constructor(options: BridgeOptions) {
    this.#options = options;
    this.#runtime = toRuntime(options);
    this.#redaction = new Redaction(secretsOf(options, {}));
    this.#info = toAgentInfo(options);
  }

  get info(): AgentInfo {
    return this.#info;
  }

  get processes(): number {
    return [...this.#sessions.values()].filter(({ hasProcess }) => hasProcess).length;
  }

  async probe({ signal }: { readonly signal?: AbortSignal } = {}): Promise<Required<AgentOffer>> {
    const {
      spec,
      clientInfo,
      startTimeoutMs,
      openTimeoutMs,
      probeMs = defaultProbeMs,
      onEvent,
      sandboxFor,
    } = this.#options;
    const timeout = AbortSignal.timeout(probeMs);
    const plan = planLaunch(this.#options, { options: this.#defaults(), clientTools: [] });
    try {
      const sandbox = await sandboxFor?.({ spec, cwd: plan.cwd });
      const place = { ...plan, ...(sandbox !== undefined && { sandbox }) };
      const { agent, opened } = await probeAgent(spec, place, {
        clientInfo,
        serves: { files: false, terminals: false, questions: false },
        ...(startTimeoutMs !== undefined && { startTimeoutMs }),
        ...(openTimeoutMs !== undefined && { openTimeoutMs }),
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
        onEvent: (event) => onEvent?.(redactEvent(event, this.#redaction)),
      });
      if ('failure' in opened) throw opened.failure;
      this.#learn(agent, opened.settings);
      return { capabilities: agent.capabilities, authMethods: agent.authMethods };
    } catch (error) {
      throw redactError(error, this.#redaction);
    }
  }

  async run(run: Run): Promise<RunEnd> {
    const session = this.#sessions.get(run.sessionId) ?? this.#begin(run.sessionId);
    try {
      return await session.run(run);
    } finally {
      // What has no process has nothing that would not be found again.
      if (session.isSpent) this.#remove(run.sessionId, session);
    }
  }

  async forget(sessionId: string): Promise<void> {
    const session = this.#sessions.get(sessionId) ?? this.#begin(sessionId);
    await session.forget();
    this.#remove(sessionId, session);
  }

  async release(sessionId: string): Promise<void> {
    const session = this.#sessions.get(sessionId);
    if (session === undefined) return;
    this.#sessions.delete(sessionId);
    this.#released.add(session);
    await session.leave();
    this.#released.delete(session);
  }

  async close(): Promise<void> {
    const sessions = [...this.#sessions.values(), ...this.#released];
    await Promise.all(sessions.map((session) => session.stop()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #begin(sessionId: string): BridgedSession {
    const { askMode } = this.#options;
    const session = new BridgedSession({
      sessionId,
      bridge: this.#options,
      runtime: this.#runtime,
      preferences: () => ({ defaults: this.#defaults(), ...(askMode !== undefined && { askMode }) }),
      onOpened: (agent, opened) => {
        // What was not seen at the probe, for want of a key perhaps.
        if (this.#findings === undefined) this.#learn(agent, settingsOf(opened));
      },
      onStopped: () => {
        this.#remove(sessionId, session);
      },
    });
    this.#sessions.set(sessionId, session);
    return session;
  }

  /** The session may be another object by now: this one was released while its run continued. */
  #remove(sessionId: string, session: BridgedSession): void {
    if (this.#sessions.get(sessionId) === session) this.#sessions.delete(sessionId);
  }

  #defaults(): Readonly<Record<string, string>> {
    const options = this.#info.options ?? [];
    return Object.fromEntries(options.map((option) => [option.name, option.default]));
  }

  #learn(
    { info, capabilities }: Pick<AgentProbe['agent'], 'info' | 'capabilities'>,
    settings: Settings,
  ): void {
    this.#findings = {
      ...(info !== undefined && { info: redactInfo(info, this.#redaction) }),
      capabilities,
      settings: redactSettings(settings, this.#redaction),
    };
    this.#info = toAgentInfo(this.#options, this.#findings);
  }
}

/** What all sessions of an agent have in common. */
function toRuntime(bridge: BridgeOptions): SessionRuntime {
  const {
    eventLogs,
    clientInfo,
    rules = [],
    pool = unlimited,
    startTimeoutMs,
    openTimeoutMs,
    changesIn,
    sandboxFor,
    onEvent,
  } = bridge;
  const policy: Policy = {
    // What the application trusts, it decides itself; what the configuration denies, it cannot allow.
    approve: { level: 'ask', given: true },
    rules: rules.filter(({ decision }) => decision === 'deny'),
    unclear: 'reject',
  };
  return {
    eventLogs,
    policyFor: () => policy,
    pool,
    info: clientInfo,
    ...(changesIn !== undefined && { changesIn }),
    ...(sandboxFor !== undefined && { sandboxFor }),
    // The next run starts it again: nothing is started that no run waits for.
    restart: { attempts: 0 },
    ...(startTimeoutMs !== undefined && { startTimeoutMs }),
    ...(openTimeoutMs !== undefined && { openTimeoutMs }),
    onEvent: (event, { sessionId }) => onEvent?.(event, sessionId),
  };
}

const unlimited = unlimitedPool();
