import { invalidRequest, type SessionConfigOption, type SessionModeState } from '@parley/acp';
import { forkSession } from '../agent-session/fork-session.ts';
import type { CancelOptions } from '../agent-session/session.ts';
import type { AgentConnection } from '../agent/agent-connection.ts';
import type { AgentSpec } from '../agent/agent-spec.ts';
import type { HostEvent } from '../event/host-event.ts';
import type { Sender } from '../event/sender.ts';
import type { SessionState } from '../event/session-event.ts';
import { frameRedactor } from '../frames/frame-redactor.ts';
import { HostError } from '../host-error.ts';
import type { HubAnswer, HubQuestion, SettledQuestion } from '../hub/hub-question.ts';
import type { HubSession, HubSessionState } from '../hub/hub-session.ts';
import type { SlotUser } from '../pool/agent-pool.ts';
import { redactSettings } from '../redaction/redact-settings.ts';
import type { Redaction } from '../redaction/redaction.ts';
import type { SupervisedAgent } from '../supervisor/supervised-agent.ts';
import { startRun, type AgentRun } from './agent-run.ts';
import { askClients } from './ask-clients.ts';
import { LiveTerminals } from './live-terminals.ts';
import { OnDemandAgent } from './on-demand-agent.ts';
import { OpenQuestions } from './open-questions.ts';
import { NotesWriter, type SessionNotes } from './session-notes.ts';
import type { SessionOptions } from './session-options.ts';
import { SessionOutline } from './session-outline.ts';
import { SessionStanding } from './session-standing.ts';
import { SessionTurns } from './session-turns.ts';
import { setOption, settingsOf } from './set-option.ts';
import { signIn } from './sign-in.ts';
import { TextTail } from './text-tail.ts';

/** What an open session lets its client set. */
export interface OfferedSettings {
  readonly modes?: SessionModeState;
  readonly configOptions?: readonly SessionConfigOption[];
}

/** A session that is steered from here: its queue, its questions, and an agent while it needs one. */
export class Session implements SlotUser {
  readonly sessionId: string;
  readonly turns: SessionTurns;
  readonly terminals: LiveTerminals;
  readonly #options: SessionOptions;
  readonly #seat: OnDemandAgent;
  readonly #questions: OpenQuestions;
  readonly #outline = new SessionOutline();
  readonly #log: TextTail;
  readonly #notes: NotesWriter;
  #title: string | undefined;
  #agentSessionId: string | undefined;
  readonly #standing: SessionStanding;
  #isForking = false;
  /** Why what happens cannot be stored, while it cannot. */
  #unstored: string | undefined;
  /** The agent for which it was tried, without asking, to sign in. */
  #triedToSignIn: AgentConnection | undefined;

  constructor(options: SessionOptions) {
    const { key, notes, limits, runtime, updatedAt } = options;
    const onFault = (error: unknown): void => runtime.onFault?.(error);
    this.sessionId = key;
    this.#options = options;
    this.#standing = new SessionStanding(updatedAt);
    this.#title = notes.title;
    this.#agentSessionId = options.agentSessionId;
    this.#questions = new OpenQuestions(
      limits.questions,
      (settled) => {
        this.#followQuestions(settled);
      },
      () => options.isUnattended(this.turns.isUnattended),
    );
    this.#log = new TextTail(limits.logLength);
    this.terminals = new LiveTerminals(limits.terminalLength, () => this.#redaction, options.onTerminal);
    this.#notes = new NotesWriter(runtime.eventLogs.store, key, onFault);
    this.#seat = new OnDemandAgent({
      tenant: this,
      pool: runtime.pool,
      start: (signal) => this.#start(signal),
      isNeeded: () => this.turns.isBusy || this.#questions.size > 0,
      onState: (state, failure) => {
        this.#become(state, failure);
      },
      onAhead: (ahead) => {
        this.#standing.waitBehind(ahead);
        options.onChange();
      },
    });
    this.turns = new SessionTurns({
      seat: this.#seat,
      limits,
      kept: notes.queue,
      onQueue: () => {
        this.#note();
      },
      onFault,
    });
  }

  get questions(): readonly HubQuestion[] {
    return this.#questions.all;
  }

  /** The end of what the agent wrote to standard error. */
  get log(): string {
    return this.#log.text;
  }

  /** How its agent is reached; undefined for one that cannot be started here. */
  get spec(): AgentSpec | undefined {
    return this.#options.spec;
  }

  /** As lists show it. */
  get shown(): HubSession {
    const { key, agent, cwd, createdAt } = this.#options;
    const title = this.#title ?? this.#outline.title ?? this.#options.title;
    const { prompts, isHeld } = this.turns.queue;
    const standing = this.#standing.shown;
    return {
      key,
      agent,
      cwd,
      ...(title !== undefined && { title }),
      ...standing,
      ...(this.#unstored !== undefined && { state: 'failed', failure: this.#unstored }),
      createdAt,
      updatedAt: Math.max(standing.updatedAt, this.#outline.updatedAt),
      questions: this.#questions.size,
      queue: prompts,
      ...(isHeld && { isQueueHeld: true }),
      ...(this.#outline.canFork && { canFork: true }),
    };
  }

  /** Starts the agent, unless it runs, and opens the session with it. */
  open(): Promise<OfferedSettings> {
    return this.#seat.use(({ session }) =>
      Promise.resolve(redactSettings(settingsOf(session), this.#redaction)),
    );
  }

  setMode(modeId: string): Promise<void> {
    return this.#seat.use(({ session }) => session.setMode(modeId));
  }

  setOption(id: string, value: string | boolean): Promise<readonly SessionConfigOption[]> {
    return this.#seat.use(async ({ session }) => {
      const configOptions = await setOption(session, id, value);
      return redactSettings({ configOptions }, this.#redaction).configOptions ?? [];
    });
  }

  /** @throws {RpcError} -32002: somebody else has answered, or it is not wanted any more. */
  answer(requestId: string, answer: HubAnswer, by: Sender): void {
    this.#questions.answer(requestId, answer, by);
  }

  /** Without a title, it is called what it was called before. */
  rename(title: string | undefined): void {
    this.#title = title;
    this.#note();
  }

  /**
   * Has the agent make a session of its own that begins as this one is. Gives what the agent calls it.
   *
   * @throws {RpcError} It cannot, or a turn runs.
   */
  async fork(): Promise<string> {
    if (this.turns.isBusy) throw invalidRequest('session/fork: a turn is running');
    this.#isForking = true;
    try {
      const forked = await this.#seat.use(async ({ session: { cwd, id: sessionId }, agent: { handle } }) => {
        if (!this.#outline.canFork) throw invalidRequest(`session/fork: ${handle.name} does not offer it`);
        return forkSession(handle, { sessionId, cwd });
      });
      // The new session is open with this agent, and is to go on with one of its own.
      await this.#seat.end();
      return forked;
    } finally {
      this.#isForking = false;
    }
  }

  /** Starts an agent that was given up again, and goes on with the session. */
  async restart(): Promise<void> {
    const { run } = this.#seat;
    // Ending the agent would lose what waits to be stored; and it has not failed.
    if (run !== undefined && this.#unstored !== undefined) return run.stored();
    await this.#seat.end();
    await this.open();
  }

  /** Makes room for another session's agent. Never rejects. */
  stop(): Promise<void> {
    return this.#seat.end();
  }

  /** Ends the turn and the agent, and closes the session with it; the session is kept. */
  async close(): Promise<void> {
    this.turns.hold();
    await this.turns.cancel();
    await this.#seat.run?.leave();
    await this.shutDown();
  }

  /** Ends the turn and the agent as the server ends: the session was not closed by a user, and goes on later. */
  async shutDown(options?: CancelOptions): Promise<void> {
    this.turns.hold();
    await this.turns.cancel(options);
    await this.#seat.end();
    await this.#notes.write(this.#toNotes());
    await this.#options.frames.flush();
  }

  /** The same, and the agent forgets the session, where it can and runs. */
  async forget(): Promise<void> {
    const { run } = this.#seat;
    this.turns.hold();
    await this.turns.cancel();
    await run?.leave();
    try {
      await run?.forget();
    } finally {
      await this.close();
    }
  }

  async #start(signal: AbortSignal): Promise<AgentRun> {
    const { runtime, spec, key, cwd, frames, additionalDirectories = [] } = this.#options;
    if (spec === undefined) throw notInstalled(this.#options.agent);
    await frames.open();
    const redactor = frameRedactor(runtime.redactFrames?.(spec), () => this.#redaction);
    return startRun(
      {
        key,
        spec,
        runtime,
        cwd,
        signal,
        interact: askClients({
          key,
          questions: this.#questions,
          takesReason: () => this.#takesReason,
          redaction: () => this.#redaction,
        }),
        observe: (frame) => {
          frames.observe(frame, redactor);
        },
        onOutput: ({ terminalId, text }) => {
          this.terminals.write(terminalId, text);
        },
        variables: () => this.#options.variables.values,
        redaction: () => this.#redaction,
        onLogged: (event) => {
          if (event.type === 'turn-start' && event.promptId !== undefined) this.turns.takeTurn(event.promptId);
          this.#outline.take(event);
        },
        onEvent: (event) => {
          this.#take(event);
        },
        // What the agent says of a session that it has just made of this one, before that is opened.
        isKept: (event) =>
          !(this.#isForking && event.type === 'diagnostic' && event.code === 'unknown-session'),
        onEventLogTrouble: (error) => {
          this.#followEventLog(error);
        },
        signIn: (agent, until) => this.#signIn(spec, agent, until),
      },
      () => {
        const sessionId = this.#agentSessionId ?? this.#outline.sessionId;
        this.#agentSessionId = undefined;
        return sessionId === undefined
          ? { additionalDirectories }
          : { sessionId, additionalDirectories: this.#outline.additionalDirectories };
      },
    );
  }

  /** While nothing can be stored, every client sees why; the turn that runs is being cancelled. */
  #followEventLog(error?: Error): void {
    this.#unstored = error === undefined ? undefined : this.#redaction.text(error.message);
    if (error !== undefined) this.#options.runtime.onFault?.(error);
    this.#options.onChange();
  }

  get #redaction(): Redaction {
    return this.#options.variables.redaction;
  }

  #take(event: HostEvent): void {
    switch (event.type) {
      case 'stderr':
        this.#log.add(event.text);
        this.#options.onLog(event.text);
        break;
      case 'session-state':
        this.#follow(event.state);
        break;
      case 'terminal-end':
        this.terminals.end(event.terminalId);
        break;
      case 'agent-end':
        this.terminals.clear();
        break;
      case 'agent-restart':
        this.#standing.restart(event.attempt, event.attempts, event.delayMs);
        this.#options.onChange();
        break;
      case 'agent-given-up':
        void this.#seat.end(event.message);
        break;
      default:
        break;
    }
  }

  #follow(state: SessionState): void {
    switch (state) {
      case 'closed':
        // Its end is told when its agent has ended, too.
        break;
      case 'failed':
        // While it is taken up, a refusal leads to the next way, and at last to a new session.
        if (this.#seat.run !== undefined) void this.#seat.end('its agent could not go on with it');
        break;
      case 'starting':
      case 'ready':
      case 'running':
      case 'waiting':
      case 'stopping':
        // What is on its way out says nothing new.
        if (this.#seat.run !== undefined || this.#standing.state === 'starting') this.#become(state);
    }
  }

  #become(state: HubSessionState, failure?: string): void {
    // Without an agent no event log is open; opening it says whether it can be written.
    if (state === 'kept' || state === 'failed') this.#unstored = undefined;
    this.#standing.become(state, failure === undefined ? undefined : this.#redaction.text(failure));
    if (state === 'elsewhere') this.#options.onElsewhere();
    if (state === 'kept' || state === 'failed') this.#options.frames.rest();
    this.#options.onChange();
  }

  #note(): void {
    void this.#notes.write(this.#toNotes());
    this.#options.onChange();
  }

  #toNotes(): SessionNotes {
    return { queue: this.turns.queue.prompts, ...(this.#title !== undefined && { title: this.#title }) };
  }

  // Questions

  #followQuestions(settled?: SettledQuestion): void {
    // An agent may ask while nothing else is being done.
    if (this.#questions.size > 0) this.#seat.wake();
    else this.#seat.rest();
    this.#options.onQuestions(settled);
    this.#options.onChange();
  }

  get #takesReason(): boolean {
    const meta = this.#seat.run?.agent.handle.capabilities._meta;
    return meta?.['parley/reject-reason'] === true;
  }

  async #signIn(spec: AgentSpec, agent: SupervisedAgent, signal: AbortSignal): Promise<boolean> {
    const { key, variables, onSignIn } = this.#options;
    onSignIn('needed');
    const tried = agent.handle;
    const isSignedIn = await signIn({
      key,
      spec,
      agent,
      isTried: this.#triedToSignIn === agent.handle,
      signal,
      ask: (question) => this.#questions.askSignIn(question, signal),
      variables: variables.values,
      learn: (values) => {
        variables.learn(values);
      },
      hide: (text) => this.#redaction.text(text),
    });
    this.#triedToSignIn = tried;
    if (isSignedIn) onSignIn('signed-in');
    return isSignedIn;
  }
}

function notInstalled(agent: string): HostError {
  return new HostError('not-installed', `the agent ${JSON.stringify(agent)} is not installed here`);
}
