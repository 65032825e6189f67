import { invalidRequest, type McpServer, type SessionConfigOption, type SessionModeState } from '@parley/acp';
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
import {
  startChosenRun,
  startRun,
  type AgentRun,
  type AgentRunOptions,
  type WantedSession,
} from './agent-run.ts';
import { askClients } from './ask-clients.ts';
import { LiveTerminals } from './live-terminals.ts';
import { OnDemandAgent } from './on-demand-agent.ts';
import { OpenQuestions } from './open-questions.ts';
import { withSessionId } from './session-ids.ts';
import { NotesWriter, type SessionNotes } from './session-notes.ts';
import type { SessionOptions } from './session-options.ts';
import { SessionOutline } from './session-outline.ts';
import { SessionStanding } from './session-standing.ts';
import { SessionTurns } from './session-turns.ts';
import { setOption, settingsOf } from './set-option.ts';
import { SessionSignIn } from './sign-in.ts';
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
  #mcpServers: readonly McpServer[];
  readonly #standing: SessionStanding;
  #isForking = false;
  /** Why what happens cannot be stored, while it cannot. */
  #unstored: string | undefined;
  readonly #signIn: SessionSignIn;

  constructor(options: SessionOptions) {
    const { key, notes, limits, runtime, updatedAt } = options;
    const onFault = (error: unknown): void => runtime.onFault?.(error);
    this.sessionId = key;
    this.#options = options;
    this.#standing = new SessionStanding(updatedAt);
    this.#title = notes.title;
    this.#agentSessionId = options.agentSessionId;
    this.#mcpServers = options.mcpServers ?? [];
    this.#questions = new OpenQuestions(
      limits.questions,
      (settled) => {
        this.#followQuestions(settled);
      },
      () => options.isUnattended?.(this.turns.isUnattended) === true,
    );
    this.#log = new TextTail(limits.logLength);
    this.terminals = new LiveTerminals(
      limits.terminalLength,
      () => this.#redaction,
      (text) => {
        options.onTerminal?.(text);
      },
    );
    this.#signIn = new SessionSignIn({
      key,
      variables: options.variables,
      ask: options.askSignIn ?? ((question, _agent, signal) => this.#questions.askSignIn(question, signal)),
      ...(options.onSignIn !== undefined && { onState: options.onSignIn }),
    });
    this.#notes = new NotesWriter(runtime.eventLogs.store, { key, notes }, onFault);
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
        options.onChange?.();
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

  /** The id of the token that it belongs to; undefined when it belongs to `admin` only. */
  get owner(): string | undefined {
    return this.#options.owner;
  }

  /** What its agent calls it; undefined before the agent has said so. */
  get agentSessionId(): string | undefined {
    return this.#agentSessionId ?? this.#outline.sessionId;
  }

  /** The number of its last event. */
  get lastEvent(): number {
    return this.#outline.lastEvent;
  }

  /** Starts the agent, unless it runs, and opens the session with it. Gives what the agent answered, and its settings as they are now. */
  open(): Promise<OfferedSettings> {
    return this.#seat.use(({ session }) => {
      const { sessionId: _own, ...opened } = this.#redaction.fields({ ...session.opened });
      return Promise.resolve({ ...opened, ...redactSettings(settingsOf(session), this.#redaction) });
    });
  }

  /** What its agent said, without secrets. */
  withoutSecrets(value: object): object {
    return this.#redaction.fields({ ...value });
  }

  /** Brings MCP servers along: an agent that does nothing is ended, and gets them when it is started again. */
  async bring(servers: readonly McpServer[]): Promise<void> {
    if (JSON.stringify(servers) === JSON.stringify(this.#mcpServers)) return;
    this.#mcpServers = servers;
    if (!this.turns.isBusy && this.#questions.size === 0) await this.#seat.end();
  }

  /** Asks the agent something that is not part of the protocol. @throws {RpcError} */
  requestExtension(method: string, params: unknown, signal: AbortSignal): Promise<object> {
    return this.#seat.use(async ({ agent: { handle }, session: { id } }) => {
      const asked = toParams(withSessionId(params, this.sessionId, id));
      const answer = await handle.agent.requestExtension(method, asked, { signal });
      return toParams(withSessionId(this.#redaction.value(answer), id, this.sessionId));
    });
  }

  /** Tells the agent something that is not part of the protocol. */
  notifyExtension(method: string, params: unknown): Promise<void> {
    return this.#seat.use(({ agent: { handle }, session: { id } }) =>
      handle.agent.notifyExtension(method, toParams(withSessionId(params, this.sessionId, id))),
    );
  }

  /** The agent and its session, while it runs. */
  get run(): AgentRun | undefined {
    return this.#seat.run;
  }

  /** Does with the agent what is no command of its own. It is started, unless it runs. */
  use<T>(work: (run: AgentRun) => Promise<T>): Promise<T> {
    return this.#seat.use(work);
  }

  /** Has the user sign in to the agent; gives whether they did. */
  signIn(signal: AbortSignal): Promise<boolean> {
    const { spec } = this;
    if (spec === undefined) throw notInstalled(this.#options.agent);
    return this.#seat.use(({ agent }) => this.#signIn.run(spec, agent, signal));
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
    await this.#options.frames?.flush();
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
    const { runtime, spec, key, cwd, frames, observe, choose, commandLine } = this.#options;
    const { onTerminal, onStore, owner, clients, onAgent } = this.#options;
    if (spec === undefined) throw notInstalled(this.#options.agent);
    await frames?.open();
    const redactor = frameRedactor(runtime.redactFrames?.(spec), () => this.#redaction);
    const options: AgentRunOptions = {
      key,
      ...(commandLine !== undefined && { commandLine }),
      spec,
      runtime,
      cwd,
      signal,
      ...(owner !== undefined && { owner }),
      ...(clients !== undefined && { clients }),
      ...(onAgent !== undefined && { onAgent }),
      interact:
        this.#options.interact ??
        askClients({
          key,
          questions: this.#questions,
          takesReason: () => this.#takesReason,
          redaction: () => this.#redaction,
        }),
      ...((frames !== undefined || observe !== undefined) && {
        observe: (frame) => {
          observe?.(frame);
          frames?.observe(frame, redactor);
        },
      }),
      ...(onTerminal !== undefined && {
        onOutput: ({ terminalId, text }) => {
          this.terminals.write(terminalId, text);
        },
      }),
      ...(onStore !== undefined && { onStore }),
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
      signIn: (agent, until) => this.#signIn.run(spec, agent, until),
    };
    if (choose === undefined) return startRun(options, () => this.#wanted());
    return startChosenRun(options, async (agent) => ({ ...(await choose(agent)), ...this.#wanted() }));
  }

  #wanted(): WantedSession {
    const { additionalDirectories = [], meta } = this.#options;
    const sessionId = this.agentSessionId;
    this.#agentSessionId = undefined;
    const brought = { mcpServers: this.#mcpServers, ...(meta !== undefined && { meta }) };
    return sessionId === undefined
      ? { additionalDirectories, ...brought }
      : { sessionId, additionalDirectories: this.#outline.additionalDirectories, ...brought };
  }

  /** While nothing can be stored, every client sees why; the turn that runs is being cancelled. */
  #followEventLog(error?: Error): void {
    this.#unstored = error === undefined ? undefined : this.#redaction.text(error.message);
    const { onUnstored, runtime } = this.#options;
    if (error !== undefined) (onUnstored ?? runtime.onFault)?.(error);
    this.#options.onChange?.();
  }

  get #redaction(): Redaction {
    return this.#options.variables.redaction;
  }

  #take(event: HostEvent): void {
    switch (event.type) {
      case 'stderr':
        this.#log.add(event.text);
        this.#options.onLog?.(event.text);
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
        this.#options.onChange?.();
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
    if (state === 'elsewhere') this.#options.onElsewhere?.();
    if (state === 'kept' || state === 'failed') this.#options.frames?.rest();
    this.#options.onChange?.();
  }

  #note(): void {
    void this.#notes.write(this.#toNotes());
    this.#options.onChange?.();
  }

  #toNotes(): SessionNotes {
    return { queue: this.turns.queue.prompts, ...(this.#title !== undefined && { title: this.#title }) };
  }

  // Questions

  #followQuestions(settled?: SettledQuestion): void {
    // An agent may ask while nothing else is being done.
    if (this.#questions.size > 0) this.#seat.wake();
    else this.#seat.rest();
    this.#options.onQuestions?.(settled);
    this.#options.onChange?.();
  }

  get #takesReason(): boolean {
    const meta = this.#seat.run?.agent.handle.capabilities._meta;
    return meta?.['parley/reject-reason'] === true;
  }
}

function notInstalled(agent: string): HostError {
  return new HostError('not-installed', `the agent ${JSON.stringify(agent)} is not installed here`);
}

/** Params and results are objects, whatever came. */
function toParams(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}
