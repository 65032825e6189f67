import type { ObservedFrame } from '@parley/wire';
import type { OpenSessionOptions, AgentSession } from '../agent-session/session.ts';
import type { AgentConnection } from '../agent/agent-connection.ts';
import type { AgentSpec } from '../agent/agent-spec.ts';
import { launchAgent } from '../agent/launch-agent.ts';
import { withSignIn } from '../authentication/with-sign-in.ts';
import type { EventStore } from '../event/event-store.ts';
import type { HostEvent } from '../event/host-event.ts';
import type { LoggedEvent } from '../event/logged-event.ts';
import { toLoggedEntry } from '../event/to-logged-entry.ts';
import type { Interact } from '../interact.ts';
import type { Policy } from '../permission/policy.ts';
import { redactEvent } from '../redaction/redact-event.ts';
import { RedactedSpeech } from '../redaction/redacted-speech.ts';
import type { Redaction } from '../redaction/redaction.ts';
import type { EventLog } from '../store/event-log.ts';
import { recoverSession } from '../supervisor/recover-session.ts';
import { superviseAgent } from '../supervisor/supervise-agent.ts';
import type { StartOptions, SupervisedAgent } from '../supervisor/supervised-agent.ts';
import type { TerminalOutput } from '../terminal/terminal-output.ts';
import type { SessionRuntime } from './session-runtime.ts';

/** What an agent is started for, and who hears of what it does. */
export interface AgentRunOptions {
  readonly key: string;
  readonly spec: AgentSpec;
  readonly runtime: SessionRuntime;
  readonly cwd: string;
  readonly interact: Interact;
  readonly signal: AbortSignal;
  /** Variables that a person typed for it, asked for at each start. */
  readonly variables: () => Readonly<Record<string, string>>;
  /** Hears what commands write, as they do. */
  readonly onOutput: (output: TerminalOutput) => void;
  /** Sees each frame in both directions. */
  readonly observe: (frame: ObservedFrame) => void;
  /** What must not be told, asked for each event. */
  readonly redaction: () => Redaction;
  /** Takes each event of the event log: those that were there, then each that is added. */
  readonly onLogged: (event: LoggedEvent) => void;
  /** Takes what is not kept: the agent's log, and where its session stands. */
  readonly onEvent: (event: HostEvent) => void;
  /** Whether an event is about the session at all. */
  readonly isKept: (event: HostEvent) => boolean;
  /** Called when the event log cannot be written, and without an error when it can again. */
  readonly onEventLogTrouble: (error?: Error) => void;
  /** Lets somebody sign in; gives whether they did. */
  readonly signIn: (agent: SupervisedAgent, signal: AbortSignal) => Promise<boolean>;
}

/** Which session of the agent's is wanted. */
export interface WantedSession {
  readonly additionalDirectories: readonly string[];
  /** What the agent calls the one that goes on. @default a new one */
  readonly sessionId?: string;
}

/** An agent that runs for one session, which is open, and keeps its event log. */
export interface AgentRun {
  readonly agent: SupervisedAgent;
  readonly session: AgentSession;
  /** Settles when all that happened is stored. Rejects while it cannot be. */
  stored(): Promise<void>;
  /** Lets the agent close the session, where it wants to know. */
  leave(): Promise<void>;
  /** Has the agent forget the session, where it can. */
  forget(): Promise<void>;
  /** Ends the agent, and then the event log. Never rejects. */
  end(): Promise<void>;
}

/**
 * Opens the event log, starts the agent, and opens its session. If it throws, nothing of it runs.
 *
 * @param wanted Asked for when the event log has been read.
 * @throws {HostError} `already-open`: another program has the session; or the agent did not start, or opened no session.
 */
export async function startRun(options: AgentRunOptions, wanted: () => WantedSession): Promise<AgentRun> {
  const { runtime, key, spec, cwd, signal } = options;
  const policy = await runtime.policyFor(cwd);
  const eventLog = await runtime.eventLogs.store.open(key, {
    start: { agent: spec.name, cwd, program: runtime.eventLogs.program },
    onEvent: options.onLogged,
    onFailure: (error) => {
      options.onEventLogTrouble(error);
    },
    onRecovery: () => {
      options.onEventLogTrouble();
    },
  });
  const speech = new RedactedSpeech(options.redaction);
  try {
    const agent = await superviseAgent({
      open: (start) => open(options, { policy, store: eventLog }, start),
      onEvent: (event) => {
        for (const redacted of speech.take(redactEvent(event, options.redaction()))) {
          take(redacted, eventLog, options);
        }
        return eventLog.ready();
      },
      signal,
      signIn: (promptSignal) => options.signIn(agent, AbortSignal.any([signal, promptSignal])),
      ...(runtime.restart !== undefined && { restart: runtime.restart }),
    });
    const end = async (): Promise<void> => {
      await agent.end();
      await eventLog.close();
    };
    try {
      const attempt = (): Promise<AgentSession> => openSession(agent, eventLog, { cwd, signal, ...wanted() });
      const session = await withSignIn(attempt, () => options.signIn(agent, signal));
      return {
        agent,
        session,
        stored: async () => eventLog.stored(),
        leave: () => session.close(),
        forget: () => forget(agent, session, runtime),
        end,
      };
    } catch (error) {
      await end();
      throw error;
    }
  } catch (error) {
    await eventLog.close();
    throw error;
  }
}

function open(
  options: AgentRunOptions,
  { policy, store }: { readonly policy: Policy; readonly store: EventStore },
  start: StartOptions,
): Promise<AgentConnection> {
  const { runtime, spec, cwd, interact, variables, signal } = options;
  const { answersFile, startTimeoutMs, openTimeoutMs, requestTimeoutMs } = runtime;
  return launchAgent(
    spec,
    { cwd, env: variables() },
    {
      ...start,
      signal: start.signal ?? signal,
      clientInfo: runtime.info,
      policy,
      store,
      interact,
      observe: options.observe,
      onOutput: options.onOutput,
      serves: { signInTerminal: true },
      ...(answersFile !== undefined && { answersFile }),
      ...(startTimeoutMs !== undefined && { startTimeoutMs }),
      ...(openTimeoutMs !== undefined && { openTimeoutMs }),
      ...(requestTimeoutMs !== undefined && { requestTimeoutMs }),
    },
  );
}

function take(
  event: HostEvent,
  eventLog: EventLog,
  { runtime, spec, key, isKept, onEvent }: AgentRunOptions,
): void {
  runtime.onEvent?.(event, { agent: spec.name, sessionId: key });
  const entry = isKept(event) ? toLoggedEntry(event) : undefined;
  if (entry !== undefined) eventLog.append(entry, event.type === 'update' ? event.text : undefined);
  onEvent(event);
}

/** Opens the session that is wanted: it goes on, or, where the agent cannot go on with it, begins anew, and that is told. */
async function openSession(
  agent: SupervisedAgent,
  eventLog: EventLog,
  options: WantedSession & { readonly cwd: string; readonly signal: AbortSignal },
): Promise<AgentSession> {
  const { sessionId, ...others } = options;
  if (sessionId === undefined) return agent.openSession(others);
  const opener = {
    capabilities: agent.handle.capabilities,
    openSession: (wanted: OpenSessionOptions) => agent.openSession(wanted),
  };
  const { session, by } = await recoverSession(opener, sessionId, others);
  if (by === 'new') eventLog.append({ type: 'session-recovered', sessionId, by, newSessionId: session.id });
  return session;
}

async function forget(agent: SupervisedAgent, session: AgentSession, runtime: SessionRuntime): Promise<void> {
  const { handle } = agent;
  if (handle.capabilities.sessionCapabilities?.delete === undefined) return;
  const { requestTimeoutMs: timeoutMs = forgetMs } = runtime;
  await handle.agent.request('session/delete', { sessionId: session.id }, { timeoutMs });
}

/** How long an agent may take to forget a session. */
const forgetMs = 60_000;
