import {
  createSessionKey,
  defaultSessionLimits,
  filesStore,
  findSession,
  noNotes,
  openAuditLog,
  readSession,
  redactError,
  Session,
  SharedEventLogs,
  specSecrets,
  specVariables,
  unlimitedPool,
  type AgentConnection,
  type AgentSession,
  type EventStore,
  type HostEvent,
  type Policy,
  type SessionChanges,
  type SessionRuntime,
} from '@parley/host';
import type { SessionState } from '@parley/host/state';
import type { ObservedFrame } from '@parley/wire';
import { changesSettings } from '../configuration/changes-settings.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { answersFile, auditFolder, eventLogsFolder } from '../configuration/places.ts';
import { toPlainLine } from '../output/plain.ts';
import { createFollowers } from '../permissions/audit-followers.ts';
import type { TerminalUser } from '../question/terminal-user.ts';
import { readVersion } from '../version.ts';
import { sandboxFor } from './agent/sandbox-for.ts';
import { askSignInOf } from './ask-sign-in.ts';
import { commandLineOf, type ConversationFlags } from './flags.ts';
import { checkMcpServers } from './mcp-servers.ts';
import { OwnSession } from './own-session.ts';
import type { PreparedConversation, Warn } from './prepare-conversation.ts';
import { recordProcesses } from './record-processes.ts';
import { recordTo } from './record-to.ts';
import { explainOpening, makeSettings, resolveTarget, type RequestedSession } from './requested-session.ts';
import { traceIn } from './trace.ts';

/** What happens in a conversation, and who takes part. */
export interface CommandSessionsOptions {
  /** A promise asks the agent to wait. */
  readonly onEvent: (event: HostEvent) => void | Promise<void>;
  /** The user, if there is one. */
  readonly interact?: TerminalUser;
  /** Called for each frame, when something has to be known of them. */
  readonly observe?: (frame: ObservedFrame) => void;
  /** Called with what stores the events of a session, before its agent starts. */
  readonly onStore?: (store: EventStore) => void;
  /** Called with the agent of a session, before that is opened. What it throws is why it is not. */
  readonly onAgent?: (agent: AgentConnection, name: string) => void;
  readonly warn: Warn;
  readonly signal: AbortSignal;
  /** Whether an agent that ends unexpectedly is restarted, and its session resumed. @default false */
  readonly isKeptAlive?: boolean;
}

/** The sessions that a command owns, each with an agent of its own. Disposing ends the agents. */
export interface CommandSessions extends AsyncDisposable {
  /** The agent of the session opened last; undefined before one was started. */
  readonly agent: AgentConnection | undefined;
  /** Whether that agent is there, or will be again. */
  readonly isAlive: boolean;
  /** Opens a session as the flags want it: its directories, mode, model and settings. */
  openSession(target: RequestedSession): Promise<AgentSession>;
  /** What the turns of the current session changed. */
  readonly changes: SessionChanges;
  /** The current session as its event log has it; undefined where it is not stored. */
  readonly history: () => Promise<SessionState | undefined>;
  /** Lets the user sign in to the agent. Gives whether they did. */
  signIn(): Promise<boolean>;
}

/** Prepares what the sessions of a command have in common. No agent is started before a session is opened. */
export async function openCommandSessions(
  prepared: PreparedConversation,
  options: CommandSessionsOptions,
): Promise<CommandSessions> {
  const { flags, configuration, spec, variables, env, mcpServers, worktree, team } = prepared;
  const { redaction } = variables;
  const { warn, signal, onEvent, onAgent, onStore, interact, isKeptAlive = false } = options;
  const { startTimeoutMs, openTimeoutMs, requestTimeoutMs } = configuration;
  const recording =
    flags.recordFile === undefined
      ? undefined
      : recordTo(flags.recordFile, {
          agent: spec.name,
          cwd: flags.cwd,
          variables: { ...env, ...specVariables(spec) },
          secrets: specSecrets(spec),
          warn,
        });
  const audit = openAuditLog({
    directory: auditFolder(env),
    onFailure: (error) => {
      warn('audit', `decisions about permissions are not recorded: ${String(error)}`);
    },
  });
  const recordDecisions = createFollowers(audit, { client: 'terminal', cwd: flags.cwd });
  await recordProcesses(env, warn);
  const trace = traceIn(env);
  const observe = both(recording?.observe, options.observe);
  const store = filesStore(eventLogsFolder(env));
  let isAlive = true;
  let started: AgentConnection | undefined;
  let current: Session | undefined;
  /** What the event log of the current session is called. */
  let logKey: string | undefined;
  const owned = new Set<Session>();
  const runtime: SessionRuntime = {
    eventLogs: new SharedEventLogs({ store, program: `parley ${readVersion()}` }),
    answersFile: answersFile(env),
    policyFor: () => toPolicy(flags, configuration, interact !== undefined),
    changesIn: (folder) => changesSettings(configuration, env, { folder }),
    sandboxFor: (wish) => sandboxFor(configuration, env, wish),
    pool: unlimitedPool(),
    info: { name: 'parley', title: 'Parley', version: readVersion() },
    serves: { signInTerminal: interact !== undefined },
    ...(trace !== undefined && { trace }),
    ...(startTimeoutMs !== undefined && { startTimeoutMs }),
    ...(openTimeoutMs !== undefined && { openTimeoutMs }),
    ...(requestTimeoutMs !== undefined && { requestTimeoutMs }),
    ...(!isKeptAlive && { restart: { attempts: 0 } }),
    onEvent: (event, { agent, sessionId: key }) => {
      recordDecisions(event, agent, key);
    },
  };
  const delegation =
    team === undefined
      ? undefined
      : // Loaded for the few that delegate.
        await (
          await import('./delegation.ts')
        ).openDelegation(team, {
          env,
          limits: ownLimits,
          warn,
          onSession: (session) => {
            owned.add(session);
          },
        });
  const askSignIn = askSignInOf({
    spec,
    cwd: flags.cwd,
    warn,
    ...(interact !== undefined && { user: interact }),
    onSecret: (secret) => recording?.learn(secret),
  });

  const own = (target: RequestedSession, onNamed: (sessionId: string) => void): Session => {
    const now = Date.now();
    const session = new Session({
      key: createSessionKey(),
      agent: spec.name,
      spec,
      cwd: flags.cwd,
      ...(worktree !== undefined && { worktree }),
      ...(flags.sandbox !== undefined && { sandbox: flags.sandbox }),
      additionalDirectories: flags.additionalDirectories,
      mcpServers,
      ...commandLineOf(flags.agent),
      createdAt: now,
      updatedAt: now,
      notes: noNotes,
      runtime,
      limits: ownLimits,
      variables,
      interact: interact ?? {},
      askSignIn,
      ...(delegation !== undefined && { delegation: delegation.options }),
      onEvent: (event) => {
        if (event.type === 'agent-given-up') isAlive = false;
        return onEvent(event);
      },
      ...(observe !== undefined && { observe }),
      ...(onStore !== undefined && { onStore }),
      onUnstored: (error) => {
        warn('event-log', `the session is not stored: ${error.message}`);
      },
      choose: async (agent) => {
        started = agent;
        isAlive = true;
        onAgent?.(agent, nameOf(agent));
        checkMcpServers(agent, mcpServers);
        logKey = session.sessionId;
        const wanted = await resolveTarget(target, agent, { flags, store, signal });
        if (wanted === undefined) return {};
        const { sessionId, cwd = flags.cwd } = wanted;
        onNamed(sessionId);
        const known = { agent: spec.name, ...commandLineOf(flags.agent), sessionId, cwd };
        const found = await findSession(store, known);
        logKey = found?.key ?? session.sessionId;
        return {
          sessionId,
          cwd,
          by: target.kind === 'load' ? 'load' : 'resume-or-load',
          ...(found !== undefined && { key: found.key }),
        };
      },
    });
    owned.add(session);
    return session;
  };

  return {
    get agent() {
      return current?.run?.agent.connection ?? started;
    },
    get isAlive() {
      return isAlive;
    },
    get changes() {
      if (current === undefined) throw new Error('no session is open');
      return current.changes;
    },
    history: async () => {
      const head = logKey === undefined ? undefined : await store.head(logKey);
      return head === undefined ? undefined : (await readSession(store, head)).state;
    },
    signIn: async () => (await current?.use((run) => run.signIn(signal))) ?? false,
    async openSession(target) {
      let sessionId: string | undefined;
      const session = own(target, (named) => {
        sessionId = named;
      });
      const stop = (): void => void session.stop();
      signal.addEventListener('abort', stop);
      try {
        await session.open().catch((error: unknown) => {
          throw explainOpening(error, { target, sessionId }, prepared);
        });
        const opened = new OwnSession(session, redaction);
        await makeSettings(opened, prepared, signal);
        current = session;
        return opened;
      } catch (error) {
        await session.stop();
        // A session that could not begin is none that a list should show; there may be nothing of it.
        if (target.kind === 'new') await store.remove(session.sessionId).catch(() => undefined);
        throw redactError(error, redaction);
      } finally {
        signal.removeEventListener('abort', stop);
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(Array.from(owned, (session) => session.stop()));
      await delegation?.[Symbol.asyncDispose]();
      await audit.flush();
      recording?.[Symbol.dispose]();
    },
  };
}

/** What people read: what the agent calls itself, else what we call it. */
function nameOf({ info, name }: AgentConnection): string {
  return toPlainLine(info?.title ?? info?.name ?? name);
}

/** A command has one prompt at a time, which may be as long as the agent takes it. */
const ownLimits = { ...defaultSessionLimits, queuedLength: Infinity };

/** A given level counts; without one a user is asked, and where there is none, reading is allowed. */
function toPolicy({ approve }: ConversationFlags, { rules }: Configuration, hasUser: boolean): Policy {
  if (approve !== undefined) return { approve: { level: approve, given: true }, rules };
  return { approve: { level: hasUser ? 'ask' : 'reads', given: false }, rules };
}

type Observer = (frame: ObservedFrame) => void;

function both(first: Observer | undefined, second: Observer | undefined): Observer | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return (frame) => {
    first(frame);
    second(frame);
  };
}
