import { WireError } from '@parley/wire';
import type { OpenSessionOptions, AgentSession } from '../../agent-session/agent-session.ts';
import type { AgentConnection } from '../../agent/agent-connection.ts';
import { withSignIn } from '../../agent/authentication/with-sign-in.ts';
import { recoverSession } from '../../agent/supervisor/recover-session.ts';
import { superviseAgent } from '../../agent/supervisor/supervise-agent.ts';
import type { SupervisedAgent } from '../../agent/supervisor/supervised-agent.ts';
import type { PendingEvent, PendingEvents } from '../../changes/pending-events.ts';
import { SessionCheckpoints } from '../../changes/turn/session-checkpoints.ts';
import type { EventStore } from '../../event/event-store.ts';
import type { HostEvent } from '../../event/host-event.ts';
import type { LoggedEvent } from '../../event/logged-event.ts';
import type { SessionWorktree } from '../../event/session-event.ts';
import { toLoggedEntry } from '../../event/to-logged-entry.ts';
import type { Policy } from '../../permission/policy.ts';
import { redactEvent } from '../../redaction/redact-event.ts';
import { RedactedSpeech } from '../../redaction/redacted-speech.ts';
import type { Redaction } from '../../redaction/redaction.ts';
import { ChangesReader } from '../../state/changes.ts';
import type { EventLog } from '../../store/event-log.ts';
import { hashCommandLine } from '../../store/logged-agent.ts';
import { OpeningEventLog } from '../../store/opening-event-log.ts';
import { together } from '../../together.ts';
import type { SessionRuntime } from '../session-runtime.ts';
import { launchForSession, type SessionLaunch } from './launch-for-session.ts';

/** Why an agent is started, and what receives its events. */
export interface AgentRunOptions extends SessionLaunch {
  readonly key: string;
  /** The command line of the agent, where it has no name of its own. */
  readonly commandLine?: readonly string[];
  /** The git worktree that contains the folder. @default none */
  readonly worktree?: SessionWorktree;
  /** The id of the token that a new session belongs to. @default only `admin` can use the session */
  readonly owner?: string;
  /**
   * The application protocol over which a new session was started. @default a client of the hub, or a command,
   * started it
   */
  readonly origin?: 'aap';
  /** The session that delegated work to this one. @default none */
  readonly parent?: string;
  /** What must not be revealed, read for each event. */
  readonly redaction: () => Redaction;
  /**
   * Receives each event of the event log: existing ones, then each that is appended. @default existing events are not
   * read
   */
  readonly onLogged?: (event: LoggedEvent) => void;
  /**
   * Receives each event without secrets, after it was appended to the event log or was found not to belong there. A
   * returned promise makes the agent wait.
   */
  readonly onEvent: (event: HostEvent) => void | Promise<void>;
  /** Whether to append an event to the event log; called right before. */
  readonly isLogged: (event: HostEvent) => boolean;
  /** Called with the event log before the agent starts. */
  readonly onStore?: (store: EventStore) => void;
  /** Called when the event log cannot be written, and without an error when it can again. */
  readonly onEventLogTrouble: (error?: Error) => void;
  /** Called when the agent is about to be ended. Events until the promise settles are still stored. Must not reject. */
  readonly onEnd?: (ending: Pick<AgentRun, 'report'>) => Promise<void>;
  /** Lets a user sign in; returns whether one did. */
  readonly signIn: (agent: SupervisedAgent, signal: AbortSignal) => Promise<boolean>;
}

/** The agent's session to use. */
export interface WantedSession extends Pick<OpenSessionOptions, 'mcpServers' | 'meta'> {
  readonly additionalDirectories: readonly string[];
  /** The agent's id of the session to continue. @default a new session */
  readonly sessionId?: string;
  /** Where it is, if that is another folder. */
  readonly cwd?: string;
  /**
   * How to continue it; if that fails, no new session is opened. @default any way that the agent supports, else a new
   * session
   */
  readonly by?: 'resume' | 'load' | 'resume-or-load';
}

/** The session to open, for callers that know it only once the agent is running. */
export interface ChosenSession extends Omit<WantedSession, 'additionalDirectories'> {
  /** Its key, if that is not the one of a new session. */
  readonly key?: string;
}

/** An agent that runs for one session, which is open, and keeps its event log. */
export interface AgentRun {
  readonly agent: SupervisedAgent;
  readonly session: AgentSession;
  /** Reports an event of a delegate to the event log and to clients. A returned promise makes the delegate wait. */
  report(event: HostEvent): void | Promise<void>;
  /** Appends what a user did with the changes of the session. */
  append(event: PendingEvent): void;
  /** The agent opened a new session without the earlier conversation. */
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
 * Opens the event log, starts the agent, and opens its session. If it throws, all of them are closed again.
 *
 * @param wanted Called after the event log was read and the agent has started.
 * @throws {HostError} `already-open`: another program has the session open; or the agent failed to start or to open a
 * session.
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
 * Like {@link startRun}, for a session whose id only the agent knows: its event log is opened after the agent has
 * opened the session. If it cannot be opened, the session continues without it; if the disk is full, `stored`
 * rejects.
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

function openLog(options: AgentRunOptions, changes: ChangesReader | undefined): Promise<EventLog> {
  const { runtime, key, spec, cwd, commandLine, owner, origin, parent, delegation, worktree, sandbox } =
    options;
  const { onLogged, onEventLogTrouble } = options;
  return runtime.eventLogs.use(key, {
    start: {
      agent: spec.name,
      ...(commandLine !== undefined && { commandLineHash: hashCommandLine(commandLine, key) }),
      cwd,
      ...(origin !== undefined && { origin }),
      ...(owner !== undefined && { owner: { tokenId: owner } }),
      ...(parent !== undefined && { parent }),
      ...(delegation !== undefined && { team: delegation.agents.map(({ name }) => name) }),
      ...(worktree !== undefined && { worktree }),
      ...(sandbox !== undefined && { sandbox }),
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
  /** The changes of earlier turns, from the event log; undefined if changes are not covered. */
  readonly changes: ChangesReader | undefined;
  readonly wanted: (agent: AgentConnection) => WantedSession | Promise<WantedSession>;
  /** The session's key, which may change once the requested session is known. */
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
  // V8 gives each object that is spread together a hidden class of its own: reading its fields for each event misses every cache.
  const { isLogged, onEvent } = options;
  const { onEvent: onAnyEvent } = runtime;
  options.onStore?.(eventLog);
  const speech = new RedactedSpeech(redaction);
  let at = { agent: spec.name, sessionId: key() };
  const { worktree } = options;
  const report = (event: HostEvent): void | Promise<void> => {
    if (event.type === 'session') onSession?.();
    const entry = toLoggedEntry(event);
    let ready: Promise<void> | undefined;
    if (entry !== undefined && isLogged(event)) {
      eventLog.append(entry, event.type === 'update' ? event.text : undefined);
      ready = eventLog.ready();
    }
    return together(onEvent(event), ready);
  };
  const take = (happened: HostEvent): void | Promise<void> => {
    const event =
      happened.type === 'session' && worktree !== undefined ? { ...happened, worktree } : happened;
    return together(report(event), onAnyEvent?.(event, at));
  };
  const append = (event: PendingEvent): void => {
    if (event.type === 'changes' || event.type === 'diagnostic') void take(event);
    else eventLog.append(event);
  };
  const checkpoints = checkpointsOf(options, { key, changes }, append);
  try {
    const agent = await superviseAgent({
      open: (start) => launchForSession(options, { policy, store: eventLog, checkpoints }, start),
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
      await Promise.all([agent.end(), options.onEnd?.({ report })]);
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
        report,
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

/** A session of the agent's that is open. */
type Opened = Pick<AgentRun, 'session' | 'isNew'>;

/** Continues a session, or opens a new one if the agent cannot resume it, and logs that. */
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
  try {
    await connection.agent.request('session/delete', { sessionId: session.id }, { timeoutMs });
  } catch (error) {
    // An agent that crashed or is silent cannot forget it; the user still deletes it here.
    if (!(error instanceof WireError)) throw error;
  }
}

/** Time limit for an agent to delete a session. */
const forgetMs = 60_000;

/** Appends what users did with the changes of a session to the event log of its run. Returns whether there is one. */
export async function deliver(
  pending: PendingEvents,
  key: string,
  running: AgentRun | undefined,
): Promise<boolean> {
  if (running === undefined) return false;
  await pending.deliver(key, (event) => {
    running.append(event);
  });
  await running.stored();
  return true;
}

/** Whether the agent accepts a reason with a rejected permission. */
export function takesReason(running: AgentRun | undefined): boolean {
  return running?.agent.connection.capabilities._meta?.['parley/reject-reason'] === true;
}
