import { systemClock, type Clock } from '@parley/wire';
import type { OpenSessionOptions, AgentSession, SignalOptions } from '../../agent-session/agent-session.ts';
import type { HostEvent } from '../../event/host-event.ts';
import type { SessionRecoveredEvent } from '../../event/session-event.ts';
import { HostError } from '../../host-error.ts';
import { aborted, untilAborted } from '../../until-aborted.ts';
import type { AgentConnection } from '../agent-connection.ts';
import { BackOff } from './back-off.ts';
import { runAgent, type RunningAgent } from './running-agent.ts';
import type { AgentState, SupervisedAgent, SuperviseOptions } from './supervised-agent.ts';
import { SupervisedSession, type SessionKeeper } from './supervised-session.ts';

/**
 * Starts an agent and restarts it if it exits without `end()`, with increasing delays. Its sessions are resumed, else
 * loaded, else opened again. A running prompt fails with `agent-exited`: its outcome is unknown, and nothing is sent
 * twice.
 *
 * @throws {HostError} The first start failed.
 */
export async function superviseAgent(options: SuperviseOptions): Promise<SupervisedAgent> {
  const supervisor = new Supervisor(options);
  await supervisor.begin();
  return supervisor;
}

type State =
  | { readonly state: 'starting' | 'stopping' | 'closed' }
  | { readonly state: 'ready'; readonly running: RunningAgent }
  | { readonly state: 'failed'; readonly error: unknown };

class Supervisor implements SupervisedAgent, SessionKeeper {
  readonly #options: SuperviseOptions;
  readonly #clock: Clock;
  readonly #backOff: BackOff;
  readonly #sessions = new Set<SupervisedSession>();
  readonly #ending = new AbortController();
  #state: State = { state: 'starting' };
  /** The agent that was started last. */
  #connection: AgentConnection | undefined;
  /** Settles when an agent that is being started again is there, or has failed. */
  #recovery: Promise<void> = Promise.resolve();
  #end: Promise<void> | undefined;
  /** Whether the next end of the agent, and its next start, are intended. */
  #isRenewing = false;

  constructor(options: SuperviseOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#backOff = new BackOff(options.restart);
  }

  get state(): AgentState {
    return this.#state.state;
  }

  get connection(): AgentConnection {
    if (this.#connection === undefined) throw new Error('the agent was not started');
    return this.#connection;
  }

  isEnding(): boolean {
    return this.#ending.signal.aborted;
  }

  /** Starts the agent for the first time. */
  async begin(): Promise<void> {
    this.#enter(await this.#open(this.#options.signal));
  }

  async openSession(options: OpenSessionOptions): Promise<AgentSession> {
    const connection = await this.ready(options.signal);
    const opened = await connection.openSession(options);
    const session = new SupervisedSession(this, connection, opened, options);
    this.#sessions.add(session);
    return session;
  }

  async renew({ signal }: SignalOptions = {}): Promise<void> {
    const connection = await this.ready(signal);
    this.#isRenewing = true;
    await connection.end();
    await this.ready(signal);
  }

  end(): Promise<void> {
    this.#end ??= this.#endForGood();
    return this.#end;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }

  async ready(signal: AbortSignal = new AbortController().signal): Promise<AgentConnection> {
    for (;;) {
      switch (this.#state.state) {
        case 'ready': {
          const { connection, ended } = this.#state.running;
          if (!connection.isOver) return connection;
          await this.#wanted(ended, signal);
          break;
        }
        case 'failed':
          throw toStartFailure(this.connection.name, this.#state.error);
        case 'stopping':
        case 'closed':
          throw new HostError('closed', `${JSON.stringify(this.connection.name)} was ended`);
        case 'starting':
          await this.#wanted(this.#recovery, signal);
      }
    }
  }

  isPresent(connection: AgentConnection): boolean {
    return (
      this.#state.state === 'ready' && this.#state.running.connection === connection && !connection.isOver
    );
  }

  turnEnded(): void {
    this.#backOff.reset();
  }

  recovered(event: Omit<SessionRecoveredEvent, 'type'>): void {
    this.#emit({ type: 'session-recovered', ...event });
  }

  lost(sessionId: string, error: unknown): void {
    this.#diagnose(`session ${sessionId} could not be opened again: ${String(error)}`);
    this.#emit({ type: 'session-lost', sessionId });
  }

  settingLost(name: string, error: unknown): void {
    this.#diagnose(`the ${name} of the session could not be set again: ${String(error)}`);
  }

  signIn(signal: AbortSignal): Promise<boolean> {
    return this.#options.signIn?.(signal) ?? Promise.resolve(false);
  }

  forget(session: SupervisedSession): void {
    this.#sessions.delete(session);
  }

  async #wanted(step: Promise<void>, signal: AbortSignal): Promise<void> {
    if ((await untilAborted(step, signal)) !== aborted) return;
    throw new HostError('aborted', `${JSON.stringify(this.connection.name)}: not waited for its start`);
  }

  async #open(signal?: AbortSignal): Promise<RunningAgent> {
    const { open, onEvent } = this.#options;
    const running = await runAgent(open, {
      onEvent,
      onEnd: (ended) => this.#endLife(ended),
      ...(signal !== undefined && { signal }),
    });
    this.#connection = running.connection;
    return running;
  }

  /** An agent has ended, one way or the other. One that is being started is handled by its starter. */
  #endLife(ended: Promise<void>): void {
    if (this.#state.state === 'ready' && this.#state.running.ended === ended) {
      this.#recovery = this.#recover();
    }
  }

  /** The agent is there; or was, for a moment. */
  #enter(running: RunningAgent): void {
    this.#state = { state: 'ready', running };
    if (running.hasEnded()) this.#recovery = this.#recover();
  }

  /** Starts the agent again, until it is there with its sessions. Never rejects. */
  async #recover(): Promise<void> {
    this.#state = { state: 'starting' };
    let error: unknown;
    for (;;) {
      if (this.#isRenewing) {
        this.#isRenewing = false;
      } else {
        const next = this.#backOff.next();
        if (next === undefined) return this.#fail(error);
        this.#emit({
          type: 'agent-restart',
          agent: this.connection.name,
          attempts: this.#backOff.attempts,
          ...next,
        });
        await this.#wait(next.delayMs);
      }
      if (this.isEnding()) return;
      try {
        const running = await this.#open(this.#ending.signal);
        await Promise.allSettled([...this.#sessions].map((session) => session.recover(running.connection)));
        if (this.isEnding()) return;
        if (!running.hasEnded()) return this.#enter(running);
        error = new HostError('agent-exited', 'it exited again at once', {
          stderr: running.connection.stderrTail(),
        });
      } catch (caught) {
        error = caught;
        if (this.isEnding()) return;
      }
    }
  }

  #fail(error: unknown): void {
    this.#state = { state: 'failed', error };
    const { message } = toStartFailure(this.connection.name, error);
    this.#emit({
      type: 'agent-given-up',
      agent: this.connection.name,
      attempts: this.#backOff.attempts,
      message,
    });
  }

  async #endForGood(): Promise<void> {
    this.#state = { state: 'stopping' };
    this.#ending.abort();
    await this.#recovery;
    await this.#connection?.end();
    this.#state = { state: 'closed' };
  }

  async #wait(ms: number): Promise<void> {
    if (ms === 0) return;
    let stop = (): void => {};
    const over = new Promise<void>((resolve) => {
      stop = this.#clock.after(ms, resolve);
    });
    await untilAborted(over, this.#ending.signal);
    stop();
  }

  #diagnose(message: string): void {
    this.#emit({ type: 'diagnostic', level: 'warning', code: 'not-recovered', message });
  }

  #emit(event: HostEvent): void {
    void this.#options.onEvent(event);
  }
}

function toStartFailure(name: string, error: unknown): HostError {
  const why = error instanceof Error ? error.message : 'it ended too often';
  const stderr = error instanceof HostError ? error.stderr : undefined;
  return new HostError('agent-exited', `${JSON.stringify(name)} could not be restarted: ${why}`, {
    cause: error,
    ...(stderr !== undefined && { stderr }),
  });
}
