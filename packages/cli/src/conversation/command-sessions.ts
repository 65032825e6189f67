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
  specSecrets,
  specVariables,
  type AgentConnection,
  type AgentSession,
  type AuditLog,
  type ChosenSession,
  type EventStore,
  type HostEvent,
  type SessionChanges,
  type SessionRuntime,
  type SessionStore,
} from '@parley/host';
import type { SessionState } from '@parley/host/state';
import type { Recording } from '@parley/recording/node';
import type { ObservedFrame } from '@parley/wire';
import { auditFolder, eventLogsFolder } from '../configuration/places.ts';
import { toPlainLine } from '../output/plain.ts';
import type { TerminalUser } from '../question/terminal-user.ts';
import { askSignInOf } from './ask-sign-in.ts';
import { createCommandRuntime } from './command-runtime.ts';
import type { OwnDelegation } from './delegation.ts';
import { commandLineOf } from './flags.ts';
import { checkMcpServers } from './mcp-servers.ts';
import { OwnSession } from './own-session.ts';
import type { PreparedConversation, Warn } from './prepare-conversation.ts';
import { recordTo } from './record-to.ts';
import { explainOpening, makeSettings, resolveTarget, type RequestedSession } from './requested-session.ts';

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
  history(): Promise<SessionState | undefined>;
  /** Lets the user sign in to the agent. Gives whether they did. */
  signIn(): Promise<boolean>;
}

/**
 * Prepares what the sessions of a command have in common. No agent is started before a session is opened; the processes
 * of this command are recorded by then.
 */
export async function openCommandSessions(
  prepared: PreparedConversation,
  options: CommandSessionsOptions,
): Promise<CommandSessions> {
  const { flags, env, team } = prepared;
  const { warn } = options;
  const recording =
    flags.recordFile === undefined ? undefined : recordingOf(prepared, flags.recordFile, warn);
  const sessions = new OwnedSessions(prepared, options, recording);
  if (team !== undefined) {
    // Loaded for the few that delegate.
    const { openDelegation } = await import('./delegation.ts');
    const onSession = (session: Session): void => sessions.add(session);
    sessions.delegation = await openDelegation(team, { env, limits: ownLimits, warn, onSession });
  }
  return sessions;
}

class OwnedSessions implements CommandSessions {
  readonly #prepared: PreparedConversation;
  readonly #options: CommandSessionsOptions;
  readonly #recording: Recording | undefined;
  readonly #audit: AuditLog;
  readonly #store: SessionStore;
  readonly #runtime: SessionRuntime;
  readonly #askSignIn: ReturnType<typeof askSignInOf>;
  /** All that have to be ended: also those of delegates. */
  readonly #owned = new Set<Session>();
  /** How the sessions delegate, if they may. */
  delegation: OwnDelegation | undefined;
  #isAlive = true;
  #started: AgentConnection | undefined;
  #current: Session | undefined;
  /** What the event log of the current session is called. */
  #logKey: string | undefined;

  constructor(
    prepared: PreparedConversation,
    options: CommandSessionsOptions,
    recording: Recording | undefined,
  ) {
    const { flags, spec, env } = prepared;
    const { warn, interact, isKeptAlive = false } = options;
    this.#prepared = prepared;
    this.#options = options;
    this.#recording = recording;
    this.#audit = openAuditLog({
      directory: auditFolder(env),
      onFailure: (error) => {
        warn('audit', `decisions about permissions are not recorded: ${String(error)}`);
      },
    });
    this.#store = filesStore(eventLogsFolder(env));
    this.#runtime = createCommandRuntime(prepared, {
      store: this.#store,
      audit: this.#audit,
      hasUser: interact !== undefined,
      isKeptAlive,
    });
    this.#askSignIn = askSignInOf({
      spec,
      cwd: flags.cwd,
      warn,
      ...(interact !== undefined && { user: interact }),
      onSecret: (secret) => recording?.learn(secret),
    });
  }

  get agent(): AgentConnection | undefined {
    return this.#current?.run?.agent.connection ?? this.#started;
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  get changes(): SessionChanges {
    if (this.#current === undefined) throw new Error('no session is open');
    return this.#current.changes;
  }

  /** A session that ends with the command. */
  add(session: Session): void {
    this.#owned.add(session);
  }

  async history(): Promise<SessionState | undefined> {
    const head = this.#logKey === undefined ? undefined : await this.#store.head(this.#logKey);
    return head === undefined ? undefined : (await readSession(this.#store, head)).state;
  }

  async signIn(): Promise<boolean> {
    return (await this.#current?.use((run) => run.signIn(this.#options.signal))) ?? false;
  }

  async openSession(target: RequestedSession): Promise<AgentSession> {
    const { signal } = this.#options;
    const { redaction } = this.#prepared.variables;
    let sessionId: string | undefined;
    const session = this.#own(target, (named) => {
      sessionId = named;
    });
    const stop = (): void => void session.stop();
    signal.addEventListener('abort', stop);
    try {
      await session.open().catch((error: unknown) => {
        throw explainOpening(error, { target, sessionId }, this.#prepared);
      });
      const opened = new OwnSession(session, redaction);
      await makeSettings(opened, this.#prepared, signal);
      this.#current = session;
      return opened;
    } catch (error) {
      await session.stop();
      // A session that could not begin is none that a list should show; there may be nothing of it.
      if (target.kind === 'new') await this.#store.remove(session.sessionId).catch(() => undefined);
      throw redactError(error, redaction);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(Array.from(this.#owned, (session) => session.stop()));
    await this.delegation?.[Symbol.asyncDispose]();
    await this.#audit.flush();
    this.#recording?.[Symbol.dispose]();
  }

  #own(target: RequestedSession, onNamed: (sessionId: string) => void): Session {
    const { flags, spec, variables, mcpServers, worktree } = this.#prepared;
    const { warn, onEvent, onStore, interact } = this.#options;
    const observe = both(this.#recording?.observe, this.#options.observe);
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
      runtime: this.#runtime,
      limits: ownLimits,
      variables,
      interact: interact ?? {},
      askSignIn: this.#askSignIn,
      ...(this.delegation !== undefined && { delegation: this.delegation.options }),
      onEvent: (event) => {
        if (event.type === 'agent-given-up') this.#isAlive = false;
        return onEvent(event);
      },
      ...(observe !== undefined && { observe }),
      ...(onStore !== undefined && { onStore }),
      onUnstored: (error) => {
        warn('event-log', `the session is not stored: ${error.message}`);
      },
      choose: (agent) => this.#choose(agent, { target, key: session.sessionId, onNamed }),
    });
    this.add(session);
    return session;
  }

  /** Chooses the session of the agent that has started, and its event log. */
  async #choose(agent: AgentConnection, { target, key, onNamed }: ChosenFor): Promise<ChosenSession> {
    const { flags, spec, mcpServers } = this.#prepared;
    const { signal, onAgent } = this.#options;
    this.#started = agent;
    this.#isAlive = true;
    onAgent?.(agent, nameOf(agent));
    checkMcpServers(agent, mcpServers);
    this.#logKey = key;
    const wanted = await resolveTarget(target, agent, { flags, store: this.#store, signal });
    if (wanted === undefined) return {};
    const { sessionId, cwd = flags.cwd } = wanted;
    onNamed(sessionId);
    const known = { agent: spec.name, ...commandLineOf(flags.agent), sessionId, cwd };
    const found = await findSession(this.#store, known);
    this.#logKey = found?.key ?? key;
    return {
      sessionId,
      cwd,
      by: target.kind === 'load' ? 'load' : 'resume-or-load',
      ...(found !== undefined && { key: found.key }),
    };
  }
}

/** Which of an agent's sessions is opened. */
interface ChosenFor {
  readonly target: RequestedSession;
  /** Of the session, if it has no event log yet. */
  readonly key: string;
  /** Called with the id of an existing session, before that is opened. */
  readonly onNamed: (sessionId: string) => void;
}

function recordingOf({ flags, spec, env }: PreparedConversation, file: string, warn: Warn): Recording {
  return recordTo(file, {
    agent: spec.name,
    cwd: flags.cwd,
    variables: { ...env, ...specVariables(spec) },
    secrets: specSecrets(spec),
    warn,
  });
}

/** What people read: what the agent calls itself, else what we call it. */
function nameOf({ info, name }: AgentConnection): string {
  return toPlainLine(info?.title ?? info?.name ?? name);
}

/** A command has one prompt at a time, which may be as long as the agent takes it. */
const ownLimits = { ...defaultSessionLimits, queuedLength: Infinity };

type Observer = (frame: ObservedFrame) => void;

function both(first: Observer | undefined, second: Observer | undefined): Observer | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return (frame) => {
    first(frame);
    second(frame);
  };
}
