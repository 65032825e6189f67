import type { ContentBlock, SessionConfigOption, SessionModeState } from '@parley/acp';
import type {
  CancelOptions,
  LegacyModel,
  OpenSessionOptions,
  PromptOptions,
  PromptResult,
  AgentSession,
  SignalOptions,
  SteerOptions,
} from '../../agent-session/agent-session.ts';
import type { SessionRecoveredEvent } from '../../event/session-event.ts';
import type { SteeringOutcome } from '../../event/steering-event.ts';
import { HostError, type HostErrorCode } from '../../host-error.ts';
import type { AgentConnection } from '../agent-connection.ts';
import { withSignIn } from '../authentication/with-sign-in.ts';
import { recoverSession } from './recover-session.ts';

/** The supervisor, as its sessions use it. */
export interface SessionKeeper {
  /** The agent, now or when it was started again. */
  ready(signal?: AbortSignal): Promise<AgentConnection>;
  /** Whether that agent is the one, and there. */
  isPresent(connection: AgentConnection): boolean;
  /** Whether it is being ended for good. */
  isEnding(): boolean;
  /** Lets the user sign in, if one is there. */
  signIn(signal: AbortSignal): Promise<boolean>;
  /** A turn has ended as it should: the agent works. */
  turnEnded(): void;
  recovered(event: Omit<SessionRecoveredEvent, 'type'>): void;
  /** It could not be opened again, although the agent is there. */
  lost(sessionId: string, error: unknown): void;
  /** A setting could not be made again. */
  settingLost(name: string, error: unknown): void;
  forget(session: SupervisedSession): void;
}

/** A session that outlives its agent. Its settings are made again with each new one. */
export class SupervisedSession implements AgentSession {
  readonly cwd: string;
  readonly #keeper: SessionKeeper;
  readonly #options: OpenSessionOptions;
  readonly #settings = new Map<string, (session: AgentSession) => Promise<void>>();
  readonly #waiting = new Set<AbortController>();
  /** The agent that the session is open with. */
  #connection: AgentConnection;
  #session: AgentSession;
  #turn: Promise<unknown> = Promise.resolve();
  #recovery: Promise<void> | undefined;
  readonly #closing = new AbortController();

  constructor(
    keeper: SessionKeeper,
    connection: AgentConnection,
    session: AgentSession,
    options: OpenSessionOptions,
  ) {
    const { resume: _resume, signal: _signal, ...others } = options;
    this.cwd = session.cwd;
    this.#keeper = keeper;
    this.#connection = connection;
    this.#session = session;
    this.#options = others;
  }

  get id(): string {
    return this.#session.id;
  }

  get opened(): object {
    return this.#session.opened ?? {};
  }

  get modes(): SessionModeState | undefined {
    return this.#session.modes;
  }

  get configOptions(): readonly SessionConfigOption[] | undefined {
    return this.#session.configOptions;
  }

  get models(): readonly LegacyModel[] | undefined {
    return this.#session.models;
  }

  async prompt(blocks: readonly ContentBlock[], options: PromptOptions = {}): Promise<PromptResult> {
    const cancelled = new AbortController();
    const signals = options.signal === undefined ? [] : [options.signal];
    const signal = AbortSignal.any([cancelled.signal, ...signals]);
    const send = (): Promise<PromptResult> => {
      this.#waiting.add(cancelled);
      return this.#whenPresent((session) => {
        this.#waiting.delete(cancelled);
        const turn = session.prompt(blocks, options);
        this.#turn = turn.catch(() => {
          // The caller that prompted gets the error; here only the end counts.
        });
        return turn;
      }, signal);
    };
    try {
      const result = await withSignIn(send, () => {
        this.#waiting.add(cancelled);
        return this.#keeper.signIn(signal);
      });
      if (result.agentEnded !== true) this.#keeper.turnEnded();
      return result;
    } catch (error) {
      if (signal.aborted && isHostError(error, 'aborted')) return { stopReason: 'cancelled' };
      throw this.#explain(error);
    } finally {
      this.#waiting.delete(cancelled);
    }
  }

  async cancel(options?: CancelOptions): Promise<void> {
    for (const waiting of this.#waiting) waiting.abort();
    await this.#session.cancel(options);
  }

  get takesSteering(): boolean {
    return this.#session.takesSteering;
  }

  steer(blocks: readonly ContentBlock[], options?: SteerOptions): Promise<SteeringOutcome> {
    return this.#session.steer(blocks, options);
  }

  get hasWorkingSubagents(): boolean {
    return this.#session.hasWorkingSubagents;
  }

  get mayCancelSubagents(): boolean {
    return this.#session.mayCancelSubagents;
  }

  subagentsSettled(options?: SignalOptions): Promise<void> {
    return this.#session.subagentsSettled(options);
  }

  cancelSubagent(sessionId: string): void {
    this.#session.cancelSubagent(sessionId);
  }

  setMode(modeId: string, options?: SignalOptions): Promise<void> {
    return this.#set('mode', (session, how) => session.setMode(modeId, how), options);
  }

  setModel(model: string, options?: SignalOptions): Promise<void> {
    return this.#set('model', (session, how) => session.setModel(model, how), options);
  }

  setOption(id: string, value: string | boolean, options?: SignalOptions): Promise<void> {
    return this.#set(`option ${id}`, (session, how) => session.setOption(id, value, how), options);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#keeper.forget(this);
    await this.cancel();
    await this.#session.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Opens the session with another agent, unless it is that one already. */
  recover(connection: AgentConnection): Promise<void> {
    if (this.#connection === connection) return this.#recovery ?? Promise.resolve();
    this.#connection = connection;
    this.#recovery = this.#openAgain(connection);
    // The next use of the session reports it.
    this.#recovery.catch(() => undefined);
    return this.#recovery;
  }

  async #openAgain(connection: AgentConnection): Promise<void> {
    // What was in flight ends first: its end belongs to the time before.
    await this.#turn;
    if (this.#isClosed()) return;
    const sessionId = this.id;
    const { session, by } = await recoverSession(connection, sessionId, this.#options).catch(
      (error: unknown) => {
        if (!isGone(error)) this.#keeper.lost(sessionId, error);
        throw error;
      },
    );
    this.#session = session;
    this.#keeper.recovered({ sessionId, by, ...(by === 'new' && { newSessionId: session.id }) });
    if (this.#isClosed()) return session.close();
    for (const [name, set] of this.#settings) {
      await set(session).catch((error: unknown) => this.#keeper.settingLost(name, error));
    }
  }

  #isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** Uses the session with an agent that is there at that moment. */
  async #whenPresent<T>(use: (session: AgentSession) => Promise<T>, signal?: AbortSignal): Promise<T> {
    for (;;) {
      if (this.#isClosed()) throw new HostError('closed', 'the session was closed');
      const connection = await this.#keeper.ready(signal);
      await this.recover(connection);
      if (this.#keeper.isPresent(connection)) return use(this.#session);
    }
  }

  /** Reports an agent that was ended because of another session's turn like any other exit. */
  #explain(error: unknown): unknown {
    if (this.#isClosed() || this.#keeper.isEnding() || !isHostError(error, 'closed')) return error;
    return new HostError('agent-exited', error.message, { cause: error });
  }

  async #set(
    name: string,
    set: (session: AgentSession, options?: SignalOptions) => Promise<void>,
    options?: SignalOptions,
  ): Promise<void> {
    await this.#whenPresent((session) => set(session, options), options?.signal);
    this.#settings.set(name, set);
  }
}

/** The agent has ended meanwhile, and will be started again, or not. */
function isGone(error: unknown): boolean {
  return isHostError(error, 'agent-exited') || isHostError(error, 'closed') || isHostError(error, 'aborted');
}

function isHostError(error: unknown, code: HostErrorCode): error is HostError {
  return error instanceof HostError && error.code === code;
}
