import type { ToolSpec } from '@parley/aap';
import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  McpServer,
  RequestPermissionRequest,
  SessionUpdate,
} from '@parley/acp';
import {
  launchAgent,
  RedactedSpeech,
  redactElicitation,
  redactEvent,
  Redaction,
  redactPermission,
  type AgentConnection,
  type HostEvent,
  type EventLog,
  type PermissionAnswer,
  toLoggedEntry,
  type UpdateEvent,
} from '@parley/host';
import type { AnswerToolCall, ToolEndpoint } from '../client-tools/tool-endpoint.ts';
import { both } from './both.ts';
import type { BridgeOptions } from './bridge-options.ts';
import type { LaunchPlan } from './launch-plan.ts';

/** Whom an agent talks to. */
export interface AgentListener {
  /** The session is the agent's own. A promise makes the agent wait. */
  update(view: SessionUpdate, event: UpdateEvent): void | Promise<void>;
  /** Whether what the agent says now is stored with the turn of the application that it belongs to. */
  stores(event: UpdateEvent): boolean;
  /** Has stored what was said so far: what is stored next happened after it. */
  flush(): void;
  permission(request: RequestPermissionRequest): Promise<PermissionAnswer>;
  elicitation(request: CreateElicitationRequest): Promise<CreateElicitationResponse>;
  readonly callTool: AnswerToolCall;
}

/** What an agent is started for. */
export interface AgentProcessOptions {
  readonly plan: LaunchPlan;
  /** What must not be revealed. */
  readonly secrets: readonly string[];
  readonly listener: AgentListener;
  readonly signal: AbortSignal;
  /** Sent with its events. */
  readonly sessionId?: string;
}

/** Starts the agent. If that fails, nothing is left of it. */
export async function startAgentProcess(
  bridge: BridgeOptions,
  options: AgentProcessOptions,
): Promise<AgentProcess> {
  const { plan, secrets, listener, signal, sessionId } = options;
  const redaction = new Redaction(secrets);
  const speech = new RedactedSpeech(() => redaction);
  const eventLog = sessionId === undefined ? undefined : await openEventLog(bridge, plan, sessionId);
  let tools: ToolEndpoint | undefined;
  const onEvent = (came: HostEvent): void | Promise<void> => {
    const event = redactEvent(came, redaction);
    // The run puts together what is said in pieces, and redacts it, by itself.
    let taken = event.type === 'update' ? listener.update(event.view, event) : undefined;
    for (const redacted of speech.take(event)) {
      bridge.onEvent?.(redacted, sessionId);
      if (eventLog !== undefined) taken = both(taken, store(redacted, { eventLog, listener }));
    }
    return taken;
  };
  try {
    if (plan.tools.length > 0) {
      tools = await bridge.toolEndpoints?.open({
        tools: plan.tools,
        call: (call, gone) => listener.callTool({ ...call, input: redaction.fields(call.input) }, gone),
      });
    }
    const handle = await launchAgent(bridge.spec, plan, {
      clientInfo: bridge.clientInfo,
      policy: {
        // What the application trusts, it decides itself; what the configuration denies, it cannot allow.
        approve: { level: 'ask', given: true },
        rules: (bridge.rules ?? []).filter(({ decision }) => decision === 'deny'),
        unclear: 'reject',
      },
      serves: { files: false, terminals: false, questions: plan.asks },
      ...(bridge.startTimeoutMs !== undefined && { startTimeoutMs: bridge.startTimeoutMs }),
      ...(bridge.openTimeoutMs !== undefined && { openTimeoutMs: bridge.openTimeoutMs }),
      signal,
      onEvent,
      ...(eventLog !== undefined && { store: eventLog }),
      interact: {
        permission: (request) => listener.permission(redactPermission(request, redaction)),
        elicitation: (request) => listener.elicitation(redactElicitation(request, redaction)),
      },
    });
    return new AgentProcess({ handle, plan, redaction, eventLog, tools });
  } catch (error) {
    await Promise.all([tools?.close(), eventLog?.close()]);
    throw error;
  }
}

/** An agent that runs for one session, with what is kept of what it does. */
export class AgentProcess implements AsyncDisposable {
  readonly handle: AgentConnection;
  readonly plan: LaunchPlan;
  readonly redaction: Redaction;
  readonly #eventLog: EventLog | undefined;
  readonly #tools: ToolEndpoint | undefined;
  #reportedTools: string;
  #end: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.handle = parts.handle;
    this.plan = parts.plan;
    this.redaction = parts.redaction;
    this.#eventLog = parts.eventLog;
    this.#tools = parts.tools;
    this.#reportedTools = JSON.stringify(parts.plan.tools);
  }

  /** Whether nothing can be asked of it any more. */
  get isOver(): boolean {
    return this.#end !== undefined || this.handle.isOver;
  }

  /** Whether it can go on with a session that it, or one before it, has had. */
  get canContinue(): boolean {
    const { sessionCapabilities, loadSession } = this.handle.capabilities;
    return sessionCapabilities?.resume !== undefined || loadSession === true;
  }

  /** The MCP server with the application's tools, for its sessions. */
  get toolServer(): McpServer | undefined {
    return this.#tools?.mcpServer(this.handle.capabilities.mcpCapabilities);
  }

  /** The application's tools are others now. */
  setTools(tools: readonly ToolSpec[]): void {
    const reported = JSON.stringify(tools);
    if (reported === this.#reportedTools) return;
    this.#reportedTools = reported;
    this.#tools?.setTools(tools);
  }

  /** Ends it, and all it started. Never rejects. */
  end(): Promise<void> {
    this.#end ??= this.#endInOrder();
    return this.#end;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }

  async #endInOrder(): Promise<void> {
    await this.handle.end();
    await Promise.allSettled([this.#tools?.close(), this.#eventLog?.close()]);
  }
}

interface Parts {
  readonly handle: AgentConnection;
  readonly plan: LaunchPlan;
  readonly redaction: Redaction;
  readonly eventLog: EventLog | undefined;
  readonly tools: ToolEndpoint | undefined;
}

async function openEventLog(
  { spec, eventLogs, onEvent }: BridgeOptions,
  { cwd }: LaunchPlan,
  sessionId: string,
): Promise<EventLog | undefined> {
  return eventLogs?.use(sessionId, {
    start: { agent: spec.name, cwd, origin: 'aap' },
    onFailure: ({ message }) => {
      onEvent?.({ type: 'diagnostic', level: 'warning', code: 'handler-failed', message }, sessionId);
    },
  });
}

/** Stores an event, but for text and thoughts of a run: the application's turn stores those. */
function store(
  event: HostEvent,
  { eventLog, listener }: { readonly eventLog: EventLog; readonly listener: AgentListener },
): Promise<void> | undefined {
  const isSaid = event.type === 'update' && isText(event.view) && listener.stores(event);
  const entry = isSaid ? undefined : toLoggedEntry(event);
  if (entry === undefined) return undefined;
  listener.flush();
  eventLog.append(entry, event.type === 'update' ? event.text : undefined);
  return eventLog.ready();
}

function isText(update: SessionUpdate): boolean {
  return (
    (update.sessionUpdate === 'agent_message_chunk' || update.sessionUpdate === 'agent_thought_chunk') &&
    update.content.type === 'text'
  );
}
