import type { ObservedFrame } from '@parley/wire';
import type { OpenSessionOptions, AgentSession } from '../agent-session/agent-session.ts';
import type { AgentClients } from '../agent/agent-clients.ts';
import type { AgentConnection } from '../agent/agent-connection.ts';
import type { AgentSpec } from '../agent/agent-spec.ts';
import { withSignIn } from '../agent/authentication/with-sign-in.ts';
import { launchAgent } from '../agent/launch-agent.ts';
import { recoverSession } from '../agent/supervisor/recover-session.ts';
import { superviseAgent } from '../agent/supervisor/supervise-agent.ts';
import type { StartOptions, SupervisedAgent } from '../agent/supervisor/supervised-agent.ts';
import type { PendingEvent } from '../changes/pending-events.ts';
import { SessionCheckpoints } from '../changes/turn/session-checkpoints.ts';
import type { EventStore } from '../event/event-store.ts';
import type { HostEvent } from '../event/host-event.ts';
import type { LoggedEvent } from '../event/logged-event.ts';
import type { SessionWorktree } from '../event/session-event.ts';
import { toLoggedEntry } from '../event/to-logged-entry.ts';
import type { Interact } from '../interact.ts';
import type { Policy } from '../permission/policy.ts';
import { redactEvent } from '../redaction/redact-event.ts';
import { RedactedSpeech } from '../redaction/redacted-speech.ts';
import type { Redaction } from '../redaction/redaction.ts';
import type { TerminalOutput } from '../services/terminal/terminal-output.ts';
import { ChangesReader } from '../state/changes.ts';
import type { EventLog } from '../store/event-log.ts';
import { hashCommandLine } from '../store/logged-agent.ts';
import { OpeningEventLog } from '../store/opening-event-log.ts';
import { together } from '../together.ts';
import type { SessionRuntime } from './session-runtime.ts';

/** What an agent is started for, and who hears of what it does. */
export interface AgentRunOptions {
  readonly key: string;
  /** The command line of the agent, where it has no name of its own. */
  readonly commandLine?: readonly string[];
  readonly spec: AgentSpec;
  readonly runtime: SessionRuntime;
  readonly cwd: string;
  /** The git worktree that the folder is in. @default it is in none of ours */
  readonly worktree?: SessionWorktree;
  readonly interact: Interact;
  /** The id of the token that a new session belongs to. @default it belongs to `admin` only */
  readonly owner?: string;
  /** The application protocol that a new session was begun over. @default a client of the hub, or a command, began it */
  readonly origin?: 'aap';
  /** The clients of the session, as its agent reaches them. @default there are none */
  readonly clients?: AgentClients;
  /** Called with the agent each time it was started. @default nothing */
  readonly onAgent?: (agent: AgentConnection) => void;
  readonly signal: AbortSignal;
  /** Variables that a user typed for it, asked for at each start. */
  readonly variables: () => Readonly<Record<string, string>>;
  /** Hears what commands write, as they do. */
  readonly onOutput?: (output: TerminalOutput) => void;
  /** Sees each frame in both directions. @default frames are not observed */
  readonly observe?: (frame: ObservedFrame) => void;
  /** What must not be revealed, read for each event. */
  readonly redaction: () => Redaction;
  /** Takes each event of the event log: those that were there, then each that is added. @default those that were there are not read */
  readonly onLogged?: (event: LoggedEvent) => void;
  /** Takes each event without secrets, once it is in the event log, or is not to be. A promise makes the agent wait. */
  readonly onEvent: (event: HostEvent) => void | Promise<void>;
  /** Whether an event that could be logged is appended to the event log; asked right before. */
  readonly isLogged: (event: HostEvent) => boolean;
  /** Called with the event log before the agent starts. */
  readonly onStore?: (store: EventStore) => void;
  /** Called when the event log cannot be written, and without an error when it can again. */
  readonly onEventLogTrouble: (error?: Error) => void;
  /** Lets a user sign in; returns whether one did. */
  readonly signIn: (agent: SupervisedAgent, signal: AbortSignal) => Promise<boolean>;
}

/** Which session of the agent's is wanted. */
export interface WantedSession extends Pick<OpenSessionOptions, 'mcpServers' | 'meta'> {
  readonly additionalDirectories: readonly string[];
  /** What the agent calls the one that goes on. @default a new one */
  readonly sessionId?: string;
  /** Where it is, if that is another folder. */
  readonly cwd?: string;
  /** How it has to go on; another one is not begun in its place. @default in any way the agent has, else a new one begins */
  readonly by?: 'resume' | 'load' | 'resume-or-load';
}

/** Which session it is, where that is known only when the agent runs. */
export interface ChosenSession extends Omit<WantedSession, 'additionalDirectories'> {
  /** Its key, if that is not the one of a new session. */
  readonly key?: string;
}

/** An agent that runs for one session, which is open, and keeps its event log. */
export interface AgentRun {
  readonly agent: SupervisedAgent;
  readonly session: AgentSession;
  /** Appends what a user did with the changes of the session. */
  append(event: PendingEvent): void;
  /** The agent began its session anew: it knows nothing of what was said before. */
  readonly isNew: boolean;
  /** Settles when all that happened is stored. Rejects while it cannot be. */
  stored(): Promise<void>;
  /** Lets a user sign in; returns whether one did. */
  signIn(signal: AbortSignal): Promise<boolean>;
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
 * @param wanted Asked for when the event log has been read, and the agent runs.
 * @throws {HostError} `already-open`: another program has the session; or the agent did not start, or opened no session.
 */
export async function startRun(
  options: AgentRunOptions,
  wanted: (agent: AgentConnection) => WantedSession | Promise<WantedSession>,
): Promise<AgentRun> {
  const policy = await options.runtime.policyFor(options.cwd);
  const { key } = options;
  const changes = readsChanges(options);
  const eventLog = await openLog(options, changes);
  return run(options, { policy, eventLog, changes, key: () => key, wanted });
}

/**
 * The same for a session that only the agent can name: its event log is opened when the agent has opened the session. Where it
 * cannot be opened, the session goes on without it; while there is no room for it, nothing is stored.
 */
export async function startChosenRun(
  options: AgentRunOptions,
  choose: (agent: AgentConnection) => Promise<WantedSession & ChosenSession>,
): Promise<AgentRun> {
  const policy = await options.runtime.policyFor(options.cwd);
  let { key, cwd } = options;
  const changes = readsChanges(options);
  const onEventLogTrouble = (error?: Error): void => error && eventLog.fail(error);
  const eventLog: OpeningEventLog = new OpeningEventLog(
    () => openLog({ ...options, key, cwd, onEventLogTrouble }, changes),
    options.onEventLogTrouble,
  );
  return run(options, {
    policy,
    eventLog,
    changes,
    wanted: async (agent) => {
      const { key: stored = key, ...chosen } = await choose(agent);
      key = stored;
      if (chosen.cwd !== undefined) ({ cwd } = chosen);
      return chosen;
    },
    key: () => key,
    onSession: () => {
      eventLog.begin();
    },
  });
}

function openLog(
  {
    runtime: { eventLogs },
    key,
    spec,
    cwd,
    commandLine,
    owner,
    origin,
    worktree,
    onLogged,
    onEventLogTrouble,
  }: AgentRunOptions,
  changes: ChangesReader | undefined,
): Promise<EventLog> {
  return eventLogs.use(key, {
    start: {
      agent: spec.name,
      ...(commandLine !== undefined && { commandLineHash: hashCommandLine(commandLine, key) }),
      cwd,
      ...(origin !== undefined && { origin }),
      ...(owner !== undefined && { owner: { tokenId: owner } }),
      ...(worktree !== undefined && { worktree }),
    },
    ...((changes ?? onLogged) !== undefined && {
      onEvent: (event: LoggedEvent) => {
        changes?.take(event);
        onLogged?.(event);
      },
    }),
    onFailure: (error) => {
      onEventLogTrouble(error);
    },
    onRecovery: () => {
      onEventLogTrouble();
    },
  });
}

interface RunParts {
  readonly policy: Policy;
  readonly eventLog: RunLog;
  /** What earlier turns changed, as the event log says; undefined when changes are not covered. */
  readonly changes: ChangesReader | undefined;
  readonly wanted: (agent: AgentConnection) => WantedSession | Promise<WantedSession>;
  /** The session's key, which may be another one once it is known what is wanted. */
  readonly key: () => string;
  /** The agent has named the session. */
  readonly onSession?: () => void;
}

/** An event log, as far as a run needs it. */
type RunLog = Pick<OpeningEventLog, 'append' | 'ready' | 'stored' | 'onFailure' | 'close'>;

async function run(
  options: AgentRunOptions,
  { policy, eventLog, changes, wanted, key, onSession }: RunParts,
): Promise<AgentRun> {
  const { runtime, spec, signal, redaction } = options;
  options.onStore?.(eventLog);
  const speech = new RedactedSpeech(redaction);
  let at = { agent: spec.name, sessionId: key() };
  const { worktree } = options;
  const take = (happened: HostEvent): void | Promise<void> => {
    const event =
      happened.type === 'session' && worktree !== undefined ? { ...happened, worktree } : happened;
    if (event.type === 'session') onSession?.();
    const entry = toLoggedEntry(event);
    if (entry !== undefined && options.isLogged(event)) {
      eventLog.append(entry, event.type === 'update' ? event.text : undefined);
    }
    const taken = together(options.onEvent(event), eventLog.ready());
    return together(taken, runtime.onEvent?.(event, at));
  };
  const append = (event: PendingEvent): void => {
    if (event.type === 'changes' || event.type === 'diagnostic') void take(event);
    else eventLog.append(event);
  };
  const checkpoints = checkpointsOf(options, { key, changes }, append);
  try {
    const agent = await superviseAgent({
      open: (start) => open(options, { policy, store: eventLog, checkpoints }, start),
      onEvent: (event) => {
        const hidden = redaction();
        if (!hidden.isNeeded) return take(event);
        let taken: void | Promise<void> = undefined;
        for (const redacted of speech.take(redactEvent(event, hidden))) {
          taken = together(taken, take(redacted));
        }
        return taken;
      },
      signal,
      signIn: (promptSignal) => options.signIn(agent, AbortSignal.any([signal, promptSignal])),
      ...(runtime.restart !== undefined && { restart: runtime.restart }),
    });
    const end = async (): Promise<void> => {
      await agent.end();
      await checkpoints?.[Symbol.asyncDispose]();
      await eventLog.close();
    };
    try {
      const attempt = async (): Promise<Opened> => {
        const { sessionId, by, cwd = options.cwd, ...brought } = await wanted(agent.connection);
        at = { ...at, sessionId: key() };
        const others = { ...brought, cwd, signal };
        if (sessionId === undefined) return { session: await agent.openSession(others), isNew: true };
        if (by === undefined) return recover(agent, eventLog, sessionId, others);
        const resume = { sessionId, ...(by !== 'resume-or-load' && { by }) };
        return { session: await agent.openSession({ ...others, resume }), isNew: false };
      };
      const { session, isNew } = await withSignIn(attempt, () => options.signIn(agent, signal));
      return {
        agent,
        session,
        append,
        isNew,
        stored: async () => eventLog.stored(),
        signIn: (until) => options.signIn(agent, until),
        leave: () => session.close(),
        forget: () => forget(agent, session, runtime),
        end,
      };
    } catch (error) {
      await end();
      throw error;
    }
  } catch (error) {
    await checkpoints?.[Symbol.asyncDispose]();
    await eventLog.close();
    throw error;
  }
}

function readsChanges({ runtime }: AgentRunOptions): ChangesReader | undefined {
  return runtime.changesIn === undefined ? undefined : new ChangesReader();
}

function checkpointsOf(
  { runtime: { changesIn, eventLogs } }: AgentRunOptions,
  { key, changes }: Pick<RunParts, 'key' | 'changes'>,
  append: (event: PendingEvent) => void,
): SessionCheckpoints | undefined {
  if (changesIn === undefined || changes === undefined) return undefined;
  return new SessionCheckpoints({
    key,
    store: eventLogs.store,
    settingsIn: changesIn,
    state: () => changes.state,
    append,
    onTrouble: (message) => {
      append({ type: 'diagnostic', level: 'warning', code: 'changes', message });
    },
  });
}

/** What an agent is opened with, the same each time. */
interface OpenParts {
  readonly policy: Policy;
  readonly store: EventStore;
  readonly checkpoints: SessionCheckpoints | undefined;
}

async function open(
  options: AgentRunOptions,
  { policy, store, checkpoints }: OpenParts,
  start: StartOptions,
): Promise<AgentConnection> {
  const { runtime, spec, cwd, interact, variables, signal, clients } = options;
  const { answersFile, startTimeoutMs, openTimeoutMs, requestTimeoutMs } = runtime;
  const agent = await launchAgent(
    spec,
    { cwd, env: variables() },
    {
      ...start,
      signal: start.signal ?? signal,
      clientInfo: runtime.info,
      policy,
      store,
      ...(checkpoints !== undefined && { checkpoints }),
      interact,
      ...(options.observe !== undefined && { observe: options.observe }),
      ...(options.onOutput !== undefined && { onOutput: options.onOutput }),
      serves: runtime.serves ?? { signInTerminal: true },
      ...(runtime.trace !== undefined && { trace: runtime.trace }),
      ...(answersFile !== undefined && { answersFile }),
      ...(startTimeoutMs !== undefined && { startTimeoutMs }),
      ...(openTimeoutMs !== undefined && { openTimeoutMs }),
      ...(requestTimeoutMs !== undefined && { requestTimeoutMs }),
      ...(clients !== undefined && { clients }),
    },
  );
  options.onAgent?.(agent);
  return agent;
}

/** A session of the agent's that is open. */
type Opened = Pick<AgentRun, 'session' | 'isNew'>;

/** A session goes on, or, where the agent cannot go on with it, begins anew, and that is logged. */
async function recover(
  agent: SupervisedAgent,
  eventLog: RunLog,
  sessionId: string,
  options: OpenSessionOptions,
): Promise<Opened> {
  const opener = {
    capabilities: agent.connection.capabilities,
    openSession: (wanted: OpenSessionOptions) => agent.openSession(wanted),
  };
  const { session, by } = await recoverSession(opener, sessionId, options);
  if (by === 'new') eventLog.append({ type: 'session-recovered', sessionId, by, newSessionId: session.id });
  return { session, isNew: by === 'new' };
}

async function forget(agent: SupervisedAgent, session: AgentSession, runtime: SessionRuntime): Promise<void> {
  const { connection } = agent;
  if (connection.capabilities.sessionCapabilities?.delete === undefined) return;
  const { requestTimeoutMs: timeoutMs = forgetMs } = runtime;
  await connection.agent.request('session/delete', { sessionId: session.id }, { timeoutMs });
}

/** How long an agent may take to forget a session. */
const forgetMs = 60_000;

/** Whether the agent takes a reason with a rejected permission. */
export function takesReason(running: AgentRun | undefined): boolean {
  return running?.agent.connection.capabilities._meta?.['parley/reject-reason'] === true;
}
