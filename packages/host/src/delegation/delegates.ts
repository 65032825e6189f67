import type { McpServer } from '@parley/acp';
import type { CancelOptions } from '../agent-session/agent-session.ts';
import type { AgentConnection } from '../agent/agent-connection.ts';
import type { HostEvent } from '../event/host-event.ts';
import type { SubagentName } from '../event/subagent-name.ts';
import type { Interact } from '../interact.ts';
import { heldToParents } from '../permission/held-to-parents.ts';
import type { Policy } from '../permission/policy.ts';
import type { SandboxChoice } from '../sandbox/sandbox-settings.ts';
import type { SandboxWish, SessionRuntime } from '../session/session-runtime.ts';
import { createSessionKey } from '../store/session-key.ts';
import { countDescendants } from './count-descendants.ts';
import type { ParentMode } from './delegate-mode.ts';
import { sandboxOfDelegate } from './delegate-sandbox.ts';
import { Delegate } from './delegate.ts';
import { delegationTools, parseDelegationCall, teamServerName } from './delegation-tools.ts';
import type {
  DelegateBasis,
  DelegateSession,
  DelegationAbove,
  DelegationOptions,
  DelegationServer,
  ServedDelegation,
  TeamAgent,
} from './team.ts';

/** The session whose agent delegates. */
export interface DelegatingSession {
  readonly key: string;
  /** The name of its agent. */
  readonly agent: string;
  /** What its agent calls it. */
  readonly sessionId: () => string;
  readonly place: Pick<DelegateBasis, 'cwd' | 'worktree' | 'additionalDirectories' | 'owner'>;
  readonly runtime: SessionRuntime;
  /** How its agent is started, as far as the sandbox depends on it. @default the agent cannot be started here */
  readonly launch?: SandboxWish;
  readonly mode: () => ParentMode;
  /** Returns the sandbox mode of the parent's agent. */
  readonly sandbox: () => SandboxChoice;
  /** Whether questions that need a user are rejected. */
  readonly isUnattended: () => boolean;
  /** The user of the session, as a delegate asks it. */
  readonly interactFor: (delegate: SubagentName, session: () => DelegateSession | undefined) => Interact;
  /** Appends an event, and shows it to clients. */
  readonly report: (event: HostEvent) => void | Promise<void>;
  /** Delegates work, or none does any more. */
  readonly onWork: () => void;
}

/** The delegates of a session, and the tools by which its agent has them. */
export class Delegates {
  readonly #parent: DelegatingSession;
  readonly #options: DelegationOptions;
  readonly #above: DelegationAbove;
  readonly #delegates = new Map<string, Delegate>();
  #served: Promise<ServedDelegation> | undefined;
  #ended = new AbortController();
  /** Adds the delegates that were begun before the session was opened here. */
  #counted: Promise<void> | undefined;

  constructor(parent: DelegatingSession, options: DelegationOptions) {
    this.#parent = parent;
    this.#options = options;
    this.#above = options.above ?? { depth: 0, agents: [], counts: { running: 0, total: 0 } };
  }

  get areWorking(): boolean {
    for (const { isWorking } of this.#delegates.values()) if (isWorking) return true;
    return false;
  }

  has(id: string): boolean {
    return this.#delegates.has(id);
  }

  /** Settles when none works any more, or the signal is aborted. Never rejects. */
  async settled(signal?: AbortSignal): Promise<void> {
    await Promise.all(Array.from(this.#delegates.values(), (each) => each.settled(Infinity, signal)));
  }

  /** Cancels the work of one. Never rejects. */
  async cancel(id: string): Promise<void> {
    await this.#delegates.get(id)?.cancel();
  }

  /** The MCP server for an agent that has just started. */
  async serve(agent: AgentConnection): Promise<McpServer> {
    this.#served ??= this.#options.serve(this.#server);
    const { capabilities, sandbox } = agent;
    const served = await this.#served;
    const overAcp = served.overAcp === undefined ? undefined : agent.offerMcp(served.overAcp);
    return overAcp ?? served.mcpServer(capabilities.mcpCapabilities, sandbox?.toolSocket);
  }

  /** Ends all of them, with their agents: the turn of the parent was cancelled, or has failed. Never rejects. */
  async end(options?: Pick<CancelOptions, 'isForLimit'>): Promise<void> {
    this.#ended.abort();
    await Promise.all(Array.from(this.#delegates.values(), (delegate) => delegate.end(options)));
    this.#ended = new AbortController();
  }

  /** The agent of the parent ends: ends all of them, and the MCP server. Never rejects. */
  async close(): Promise<void> {
    const served = this.#served;
    this.#served = undefined;
    await Promise.all([this.end(), served?.then((server) => server.close()).catch(() => undefined)]);
  }

  get #server(): DelegationServer {
    return {
      name: teamServerName,
      tools: delegationTools,
      call: async ({ name, input }, signal) => JSON.stringify(await this.#call(name, input, signal)),
    };
  }

  async #call(name: string, input: unknown, signal: AbortSignal): Promise<object> {
    const call = parseDelegationCall(name, input);
    switch (call.name) {
      case 'list_agents':
        await this.#countStored();
        return this.#list();
      case 'delegate': {
        const { signal: ended } = this.#ended;
        await this.#countStored();
        if (ended.aborted) throw new Error('delegate: the turn of this session was cancelled');
        const delegate = this.#begin(call.agent, call.worktree);
        delegate.prompt(call.prompt);
        return delegate.status;
      }
      case 'wait': {
        const delegate = this.#expect(call.id);
        await delegate.settled(call.seconds * 1000, signal);
        return delegate.status;
      }
      case 'send': {
        const delegate = this.#expect(call.id);
        if (delegate.isEnded) throw new Error(`send: ${call.id} has ended; delegate again`);
        if (!delegate.isWorking) this.#checkRunning('send');
        delegate.prompt(call.prompt);
        return delegate.status;
      }
      case 'cancel': {
        const delegate = this.#expect(call.id);
        await delegate.cancel();
        return delegate.status;
      }
    }
  }

  /** What delegates at all depths share is counted once, by the session above them. */
  async #countStored(): Promise<void> {
    if (this.#options.above !== undefined) return;
    const { key, runtime } = this.#parent;
    this.#counted ??= countDescendants(runtime.eventLogs.store, key).then((count) => {
      this.#above.counts.total += count;
    });
    try {
      await this.#counted;
    } catch (error) {
      this.#counted = undefined;
      throw error;
    }
  }

  #list(): object {
    const { agents, limits } = this.#options;
    const { running, total } = this.#above.counts;
    return {
      agents: agents.map(({ name, title, description }) => ({ name, title, description })),
      delegates: Array.from(this.#delegates.values(), ({ status: { id, agent, state } }) => ({
        id,
        agent,
        state,
      })),
      running,
      maxRunning: limits.maxRunning,
      begun: total,
      maxTotal: limits.maxTotal,
    };
  }

  #begin(name: string, worktree: true | string | undefined): Delegate {
    const { agents, limits } = this.#options;
    const { depth, counts } = this.#above;
    const agent = agents.find((each) => each.name === name);
    if (agent === undefined) {
      const known = agents.map((each) => JSON.stringify(each.name)).join(', ');
      throw new Error(`delegate: no agent ${JSON.stringify(name)} in the team; it has ${known}`);
    }
    if (depth >= limits.maxDepth) {
      throw new Error(
        `delegate: refused, the maximum depth of delegates is ${String(limits.maxDepth)} (maxDepth)`,
      );
    }
    if (counts.total >= limits.maxTotal) {
      throw new Error(
        `delegate: refused, this session has begun ${String(limits.maxTotal)} delegates (maxTotal); use send`,
      );
    }
    this.#checkRunning('delegate');
    counts.total += 1;
    const delegate = this.#create(agent, worktree);
    this.#delegates.set(delegate.id, delegate);
    return delegate;
  }

  #expect(id: string): Delegate {
    const delegate = this.#delegates.get(id);
    if (delegate !== undefined) return delegate;
    throw new Error(`there is no delegate ${JSON.stringify(id)} of this session; list_agents has their ids`);
  }

  #checkRunning(tool: string): void {
    const { maxRunning } = this.#options.limits;
    if (this.#above.counts.running < maxRunning) return;
    throw new Error(
      `${tool}: refused, ${String(maxRunning)} delegates work already (maxRunning); wait for one`,
    );
  }

  #create(agent: TeamAgent, worktree: true | string | undefined): Delegate {
    const parent = this.#parent;
    const { signal } = this.#ended;
    const id = createSessionKey();
    let wasWorking = false;
    const delegate = new Delegate({
      id,
      agent,
      open: (onEvent) => {
        const named = { sessionId: id, title: agent.title ?? agent.name };
        const interact = parent.interactFor(named, () => delegate.session);
        const basis = this.#basisFor(agent, { key: id, interact, onEvent });
        const wish = { agent, basis, signal, ...(worktree !== undefined && { worktree }) };
        return this.#options.open(wish);
      },
      parentSessionId: parent.sessionId,
      parentMode: parent.mode,
      isUnattended: parent.isUnattended,
      report: parent.report,
      onWork: () => {
        if (delegate.isWorking === wasWorking) return;
        wasWorking = delegate.isWorking;
        this.#above.counts.running += wasWorking ? 1 : -1;
        parent.onWork();
      },
    });
    return delegate;
  }

  #basisFor({ name }: TeamAgent, own: Pick<DelegateBasis, 'key' | 'interact' | 'onEvent'>): DelegateBasis {
    const { key: parent, agent, place, runtime, launch, sandbox } = this.#parent;
    const { limits } = this.#options;
    const { depth, agents, counts } = this.#above;
    const parents = [...agents, agent];
    const delegation = { ...this.#options, above: { depth: depth + 1, agents: parents, counts } };
    return {
      ...own,
      ...place,
      parent,
      runtime: {
        ...runtime,
        // The parent waits for an answer: its next prompt starts an agent that has ended.
        restart: { attempts: 0 },
        ...(runtime.sandboxFor !== undefined && {
          sandboxFor: sandboxOfDelegate(runtime.sandboxFor, { launch, mode: sandbox }),
        }),
        policyFor: async (cwd) => narrowed(await runtime.policyFor(cwd), name, parents),
      },
      // One that could only be refused would mislead the model.
      ...(depth + 1 < limits.maxDepth && { delegation }),
    };
  }
}

function narrowed(policy: Policy, agent: string, parents: readonly string[]): Policy {
  return { ...policy, rules: heldToParents(policy.rules, agent, parents), parents };
}
