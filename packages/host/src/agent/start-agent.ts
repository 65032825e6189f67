import {
  createClient,
  type AgentCapabilities,
  type AgentPeer,
  type AuthMethod,
  type ClientConnection,
  type Implementation,
  type InitializeResponse,
  type McpServer,
  type TraceContext,
} from '@parley/acp';
import { WireError, type CloseReason, type Transport } from '@parley/wire';
import { processLoad, type ExitStatus, type ProcessGroup, type ProcessLoad } from '@parley/workspace';
import type { Sandbox, StartTrouble } from '@parley/workspace/sandbox';
import type { OpenSessionOptions, AgentSession, SignalOptions } from '../agent-session/agent-session.ts';
import { OpenElsewhere } from '../agent-session/opening/open-elsewhere.ts';
import { openSessionOn } from '../agent-session/opening/open-session-on.ts';
import type { SessionAgent } from '../agent-session/session-agent.ts';
import { SessionTable } from '../agent-session/session-table.ts';
import { agentaoSetModel } from '../agent-session/settings/apply-change.ts';
import { isSteeringAdvertised } from '../agent-session/steering.ts';
import type { AgentEndEvent } from '../event/agent-event.ts';
import type { HostContext } from '../host-context.ts';
import { AgentNetwork } from '../network/agent-network.ts';
import { SandboxFailed } from '../sandbox/open-agent-sandbox.ts';
import type { AgentConnection } from './agent-connection.ts';
import type { AgentOptions } from './agent-options.ts';
import { explain, explainStart, loadLookMs, type AgentTrouble } from './agent-trouble.ts';
import { toClientCapabilities } from './client-capabilities.ts';
import { createClientExtensions, createClientHandlers, toOtherExtensions } from './client-handlers.ts';
import { createConnectionDiagnostics } from './connection-diagnostics.ts';
import { createHostContext } from './create-host-context.ts';
import { shallowTransport } from './shallow-transport.ts';
import { McpOverAcp, type McpOverAcpServer } from './unstable/mcp-over-acp.ts';
import { setProviders } from './unstable/providers.ts';

/** Default time limit for the start of an agent, and for requests other than prompts. */
const defaultTimeoutMs = 60_000;

/** Default time limit for opening a session: some agents start a model and MCP servers for it. */
const defaultOpenTimeoutMs = 120_000;

/** How an agent is reached. */
export interface AgentLink {
  readonly name: string;
  readonly transport: Transport;
  /** Absent for an agent that has no process of ours. */
  readonly group?: ProcessGroup;
  stderrTail(): string;
  /** Returns why the sandbox did not start the agent, once its process has exited. Absent without a sandbox. */
  trouble?(): Promise<StartTrouble | undefined>;
}

/** Initializes the connection. If that fails, the agent is ended and all its resources are released. */
export async function startAgent(link: AgentLink, options: AgentOptions): Promise<AgentConnection> {
  const { signal, startTimeoutMs = defaultTimeoutMs } = options;
  const agent = new ConnectedAgent(link, options);
  agent.announce(startTimeoutMs);
  try {
    const call = { timeoutMs: startTimeoutMs, ...(signal !== undefined && { signal }) };
    const initialized = await agent.connection.initialize(call);
    // Before its first session: no prompt may go elsewhere.
    if (options.providers !== undefined) await setProviders(agent, options.providers, call);
    agent.begin(initialized);
    return agent;
  } catch (error) {
    // Activity distinguishes a slow start from one that waits for input that will not come.
    const load = isTimeout(error) ? await agent.load(loadLookMs) : undefined;
    await agent.end();
    const { notStarted } = agent;
    if (notStarted !== undefined && options.sandbox !== undefined) {
      throw new SandboxFailed(link.name, options.sandbox.plan, notStarted);
    }
    throw await explainStart(error, agent, {
      startTimeoutMs,
      ...(load !== undefined && { load }),
      ...(signal !== undefined && { signal }),
    });
  }
}

class ConnectedAgent implements AgentConnection, AgentTrouble, SessionAgent {
  readonly name: string;
  readonly connection: ClientConnection;
  readonly exited: Promise<ExitStatus>;
  readonly requestTimeoutMs: number;
  readonly openTimeoutMs: number;
  readonly trace: TraceContext | undefined;
  readonly signInHint: string | undefined;
  readonly rootHint: string | undefined;
  readonly sandbox: Sandbox | undefined;
  readonly stderrTail: () => string;
  readonly #host: HostContext;
  readonly #sessions: SessionTable;
  readonly #elsewhere: OpenElsewhere;
  readonly #mcp = new McpOverAcp();
  readonly #network: AgentNetwork | undefined;
  readonly #group: ProcessGroup | undefined;
  readonly #trouble: AgentLink['trouble'];
  /** Why its sandbox did not start it, once it has ended. */
  notStarted: StartTrouble | undefined;
  #initialized: InitializeResponse | undefined;
  #isEnding = false;
  #end: Promise<ExitStatus> | undefined;

  constructor(link: AgentLink, options: AgentOptions) {
    const { name, transport, group, stderrTail } = link;
    const { clientInfo, observe, requestTimeoutMs = defaultTimeoutMs } = options;
    this.name = name;
    this.requestTimeoutMs = requestTimeoutMs;
    this.openTimeoutMs = options.openTimeoutMs ?? defaultOpenTimeoutMs;
    this.trace = options.trace;
    this.rootHint = options.rootHint;
    this.signInHint = options.signIn?.hint.replace(/\.$/u, '');
    this.stderrTail = stderrTail;
    this.#group = group;
    this.#trouble = link.trouble;
    this.sandbox = options.sandbox;
    this.#host = createHostContext(name, options);
    this.#sessions = new SessionTable(this.#host);
    this.#network = options.network;
    if (this.#network !== undefined) AgentNetwork.serve(this.#network, this.#sessions, this.#host);
    const client = createClient({
      info: clientInfo,
      capabilities: toClientCapabilities(options.serves),
      handlers: createClientHandlers(this.#sessions, this.#host, options.clients),
      extensions: createClientExtensions(this.#sessions, this.#host, {
        mcp: this.#mcp,
        clients: options.clients,
      }),
      ...(options.clients !== undefined && {
        otherExtensions: toOtherExtensions(options.clients, this.#host, options.onAuthStatus),
      }),
    });
    this.connection = client.connect(shallowTransport(transport), {
      onDiagnostic: createConnectionDiagnostics(this.#host.diagnose),
      // What is no message is noise, and its writer does not expect an answer.
      answerFaults: false,
      ...(observe !== undefined && { observe }),
    });
    this.#elsewhere = new OpenElsewhere(this.connection.agent, this.#host);
    this.exited = group?.exited ?? this.connection.closed.then(() => noProcess);
    void this.connection.closed.then(() => this.#endOnce());
  }

  get agent(): AgentPeer {
    return this.connection.agent;
  }

  get peer(): AgentPeer {
    return this.connection.agent;
  }

  get info(): Implementation | undefined {
    return this.agent.info;
  }

  get capabilities(): AgentCapabilities {
    return this.agent.capabilities;
  }

  get authMethods(): readonly AuthMethod[] {
    return this.agent.authMethods;
  }

  get protocolVersion(): number {
    return this.#initialized?.protocolVersion ?? 0;
  }

  get hasProcess(): boolean {
    return this.#group !== undefined;
  }

  get isEnding(): boolean {
    return this.#isEnding;
  }

  get ended(): Promise<ExitStatus> {
    return this.#endOnce();
  }

  get closeReason(): Promise<CloseReason> {
    return this.connection.closed;
  }

  get isGone(): boolean {
    return this.connection.signal.aborted;
  }

  get isOver(): boolean {
    return this.isGone || this.#end !== undefined;
  }

  get takesAnyModel(): boolean {
    return this.agent.offers(agentaoSetModel) || isInList(this.#initialized, agentaoSetModel);
  }

  get takesSteering(): boolean {
    return isSteeringAdvertised(this.#initialized?._meta);
  }

  /** Called right before `initialize` is sent. */
  announce(limitMs: number): void {
    const pid = this.#group?.pid;
    this.#host.emit({ type: 'agent-starting', agent: this.name, limitMs, ...(pid !== undefined && { pid }) });
  }

  /** The agent has answered `initialize`. */
  begin(initialized: InitializeResponse): void {
    this.#initialized = initialized;
    const { name, info, protocolVersion, capabilities } = this;
    const introduction = {
      agent: name,
      protocolVersion,
      capabilities,
      ...(this.takesSteering && ({ steering: true } as const)),
    };
    this.#host.emit({ type: 'agent-start', ...introduction, ...(info !== undefined && { info }) });
  }

  openSession(options: OpenSessionOptions): Promise<AgentSession> {
    const target = { agent: this, sessions: this.#sessions, host: this.#host, elsewhere: this.#elsewhere };
    return openSessionOn(target, options);
  }

  offerMcp(server: McpOverAcpServer): McpServer | undefined {
    return this.#mcp.offer(server, this.capabilities);
  }

  async authenticate(methodId: string, options: SignalOptions = {}): Promise<void> {
    try {
      await this.agent.request('authenticate', { methodId }, options);
    } catch (error) {
      throw await this.explain('authenticate', error, options.signal);
    }
  }

  async logout(options: SignalOptions = {}): Promise<void> {
    try {
      await this.agent.request('logout', {}, { timeoutMs: this.requestTimeoutMs, ...options });
    } catch (error) {
      throw await this.explain('logout', error, options.signal);
    }
  }

  load(lookMs: number): Promise<ProcessLoad | undefined> {
    return this.#group === undefined ? Promise.resolve(undefined) : processLoad(this.#group.pid, lookMs);
  }

  forget(sessionId: string): void {
    this.#sessions.remove(sessionId);
  }

  explain(method: string, error: unknown, signal?: AbortSignal): Promise<Error> {
    return explain(method, error, this, signal);
  }

  end(): Promise<ExitStatus> {
    // One that is ending by itself is not ended by us: its requests fail for that.
    if (this.#end === undefined) this.#isEnding = true;
    return this.#endOnce();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }

  #endOnce(): Promise<ExitStatus> {
    this.#end ??= this.#endInOrder();
    return this.#end;
  }

  async #endInOrder(): Promise<ExitStatus> {
    const ended = this.#sessions.endAll();
    // The process first: what it still says while its input is closed is read.
    await this.#group?.end();
    await this.connection.close();
    await ended;
    // The sandbox says so in files that it removes.
    if (this.#initialized === undefined) this.notStarted = await this.#trouble?.();
    await this.sandbox?.close();
    await this.#network?.close();
    const status = await this.exited;
    if (this.#initialized !== undefined) this.#host.emit(toEndEvent(status, this.#isEnding));
    return status;
  }
}

function toEndEvent({ exitCode, signal }: ExitStatus, expected: boolean): AgentEndEvent {
  return {
    type: 'agent-end',
    expected,
    ...(exitCode !== null && { exitCode }),
    ...(signal !== null && { signal }),
  };
}

function isTimeout(error: unknown): boolean {
  return error instanceof WireError && error.code === 'timeout';
}

const noProcess: ExitStatus = { exitCode: null, signal: null };

/** Agentao's own advertisement: `_meta["_agentao.cn/extensions"]` is a list of `{ method }`. */
function isInList(initialized: InitializeResponse | undefined, method: string): boolean {
  const list: unknown = initialized?._meta?.['_agentao.cn/extensions'];
  return (
    Array.isArray(list) &&
    list.some(
      (item: unknown) =>
        typeof item === 'object' && item !== null && 'method' in item && item.method === method,
    )
  );
}
