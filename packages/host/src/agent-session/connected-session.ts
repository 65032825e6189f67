import {
  withoutTraceContext,
  type ContentBlock,
  type Meta,
  type SessionConfigOption,
  type SessionModeState,
  type SessionUpdate,
} from '@parley/acp';
import type { Files } from '@parley/workspace';
import type { SessionEndEvent, UpdateEvent } from '../event/session-event.ts';
import type { SteeringOutcome } from '../event/steering-event.ts';
import type { HostContext } from '../host-context.ts';
import { HostError } from '../host-error.ts';
import { reportNetwork } from '../network/report-network.ts';
import { createGrants, type Grants } from '../permission/grants.ts';
import { createToolCalls, isFinished, type ToolCalls } from '../permission/request/tool-calls.ts';
import { reportConverted } from '../sandbox/report-converted.ts';
import { ClientTerminals } from '../services/terminal/client-terminals.ts';
import { createTerminals, type Terminals } from '../services/terminal/terminals.ts';
import type {
  CancelOptions,
  LegacyModel,
  PromptOptions,
  PromptResult,
  AgentSession,
  SignalOptions,
  SteerOptions,
} from './agent-session.ts';
import type { SessionAgent } from './session-agent.ts';
import type { SessionScope } from './session-scope.ts';
import type { SessionTrace } from './session-trace.ts';
import { applyChange, methodOf } from './settings/apply-change.ts';
import { chooseMode, chooseModel, chooseConfigOption, type Change } from './settings/choose-setting.ts';
import { settingsAfter, toSettings, type OpeningResponse, type Settings } from './settings/settings.ts';
import { sendSteering } from './steering.ts';
import { AgentSessionSubagents } from './subagents/agent-session-subagents.ts';
import { defaultGraceMs, PromptTurn, type TurnPlace } from './turn/prompt-turn.ts';
import { limitReached } from './turn/turn-time.ts';
import type { Turn } from './turn/turn.ts';

/** Options of {@link ConnectedSession}, once the session's id is known. */
export interface ConnectedSessionOptions {
  readonly id: string;
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  readonly files: Files;
  readonly host: HostContext;
  readonly agent: SessionAgent;
  readonly trace: SessionTrace;
}

/** An update on its way to its session. */
export interface Arrival {
  readonly sessionId: string;
  readonly view: SessionUpdate;
  readonly raw: unknown;
  /** The same as JSON, where it is known. */
  readonly text: string | undefined;
  readonly isLate: boolean;
  /** Whether it came before the answer that opens the session. */
  readonly isHistory: boolean;
  /** The `_meta` beside the update. */
  readonly meta: Meta | undefined;
}

/** A session from both sides: the methods for its user, and the scope that the agent's requests act in. */
export class ConnectedSession implements AgentSession, SessionScope {
  readonly id: string;
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  readonly files: Files;
  readonly terminals: Terminals = createTerminals();
  readonly clientTerminals: ClientTerminals = new ClientTerminals();
  readonly toolCalls: ToolCalls = createToolCalls();
  readonly grants: Grants = createGrants();
  readonly subagents: AgentSessionSubagents;
  readonly #host: HostContext;
  readonly #agent: SessionAgent;
  readonly #trace: SessionTrace;
  readonly #closing = new AbortController();
  /** What the agent lets the client set, as it reported last. */
  #settings: Settings = {};
  #opened: object = {};
  #turn: Turn | undefined;
  #questions = 0;
  /** Settles when all requests received so far have been checked. Never rejects. */
  #looking: Promise<void> = Promise.resolve();
  /** Whether the agent has answered the request that opened it. */
  #isOpen = false;
  /** Settles when that answer was handled, or the session is closed. */
  readonly #begun: Promise<void>;
  #begin: () => void = () => undefined;
  /** Whether the agent is replaying the history. */
  #isReplaying = false;

  constructor({ id, cwd, additionalDirectories, files, host, agent, trace }: ConnectedSessionOptions) {
    this.id = id;
    this.cwd = cwd;
    this.additionalDirectories = additionalDirectories;
    this.files = files;
    this.#host = host;
    this.#agent = agent;
    this.#trace = trace;
    this.#begun = new Promise((resolve) => {
      this.#begin = resolve;
    });
    this.subagents = new AgentSessionSubagents({
      session: this,
      cancelAtAgent: (sessionId) => {
        this.#cancelAtAgent(sessionId);
      },
    });
  }

  get opened(): object {
    return this.#opened;
  }

  get modes(): SessionModeState | undefined {
    return this.#settings.modes;
  }

  get configOptions(): readonly SessionConfigOption[] | undefined {
    return this.#settings.configOptions;
  }

  get models(): readonly LegacyModel[] | undefined {
    return this.#settings.models;
  }

  get isInTurn(): boolean {
    return this.#turn !== undefined;
  }

  get questionSignal(): AbortSignal {
    return this.#turn?.questionSignal ?? this.#closing.signal;
  }

  inOrder<T>(look: () => Promise<T>): Promise<T> {
    const looked = this.#looking.then(look);
    this.#looking = looked.then(
      () => undefined,
      () => undefined,
    );
    return looked;
  }

  heard(): void {
    this.#turn?.time.heard();
  }

  beginQuestion(): () => void {
    const resume = this.#turn?.time.pause();
    this.#questions += 1;
    return () => {
      this.#questions -= 1;
      resume?.();
    };
  }

  async prompt(blocks: readonly ContentBlock[], options: PromptOptions = {}): Promise<PromptResult> {
    this.#assertOpen('session/prompt');
    if (this.#turn !== undefined) {
      throw new HostError('turn-running', 'session/prompt: a turn is running in the session');
    }
    if (options.signal?.aborted === true) return { stopReason: 'cancelled' };
    this.subagents.renew();
    const prompted = new PromptTurn(this.#turnPlace(), blocks, {
      ...options,
      trace: options.trace ?? this.#trace.next(),
    });
    this.#turn = prompted.turn;
    try {
      return await prompted.run();
    } finally {
      this.#turn = undefined;
      this.toolCalls.clear();
      this.grants.endTurn();
      this.#host.answers.endTurn(this.id);
      prompted.turn.end();
    }
  }

  get takesSteering(): boolean {
    return this.#agent.takesSteering;
  }

  steer(prompt: readonly ContentBlock[], options: SteerOptions = {}): Promise<SteeringOutcome> {
    this.#assertOpen('session/steering');
    const isAsking = (): boolean => this.#questions > 0;
    return sendSteering({ sessionId: this.id, prompt, isAsking, ...options }, this.#agent, this.#host);
  }

  get hasWorkingSubagents(): boolean {
    return this.subagents.areWorking;
  }

  get mayCancelSubagents(): boolean {
    return this.subagents.mayCancel;
  }

  subagentsSettled({ signal }: SignalOptions = {}): Promise<void> {
    return this.subagents.settled(signal);
  }

  cancelSubagent(sessionId: string): void {
    this.subagents.cancelOne(sessionId);
  }

  async cancel({ graceMs = defaultGraceMs, isForLimit }: CancelOptions = {}): Promise<void> {
    const reason = isForLimit === true ? limitReached : undefined;
    if (this.#turn === undefined && (this.hasWorkingSubagents || this.mayCancelSubagents)) {
      this.#cancelAtAgent(this.id);
      this.subagents.cancel(reason);
    }
    this.#turn?.cancel(graceMs, reason);
    await this.#turn?.ended;
  }

  async setMode(modeId: string, options: SignalOptions = {}): Promise<void> {
    await this.#change(chooseMode(this.#settings, modeId), options);
  }

  async setModel(model: string, options: SignalOptions = {}): Promise<void> {
    await this.#change(chooseModel(this.#settings, model, this.#agent.takesAnyModel), options);
  }

  async setOption(id: string, value: string | boolean, options: SignalOptions = {}): Promise<void> {
    await this.#change(chooseConfigOption(this.#settings, id, value), options);
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    await this.cancel();
    await this.release('closed');
    this.#agent.forget(this.id);
    const { peer, requestTimeoutMs, isGone } = this.#agent;
    if (isGone || peer.capabilities.sessionCapabilities?.close === undefined) return;
    try {
      await peer.request('session/close', { sessionId: this.id }, { timeoutMs: requestTimeoutMs });
    } catch (error) {
      const reason = await this.#agent.explain('session/close', error);
      this.#host.diagnose('warning', 'close-failed', reason.message);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** The session is open. */
  begin(response: OpeningResponse): void {
    this.#opened = response;
    // What came before is history: the agent announces again what is there.
    this.subagents.becomePast();
    this.#isOpen = true;
    this.#settings = { ...this.#settings, ...toSettings(response) };
    this.#host.emit({ type: 'session-ready', sessionId: this.id, ...this.#settings });
    this.#begin();
  }

  /** Closes the resources on this side: open questions, and terminals with their processes. */
  async release(reason: SessionEndEvent['reason']): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    this.#begin();
    await Promise.all([this.terminals.endAll(), this.subagents.release()]);
    reportNetwork(this.#host, this.id);
    reportConverted(this.#host);
    this.#host.emit({ type: 'session-end', sessionId: this.id, reason });
  }

  /** Handles updates of the session or of a sub-agent, in the order of arrival. */
  receive(arrival: Arrival): void | Promise<void> {
    const { sessionId, view, raw, text, isLate, isHistory, meta: given } = arrival;
    // It came directly behind the answer that opens the session, and says what is now: that answer is handled first.
    if (!this.#isOpen && !isHistory && !this.#closing.signal.aborted) {
      return this.#begun.then(() => this.receive(arrival));
    }
    const subagent = this.subagents.get(sessionId);
    if (subagent === undefined) this.#settings = settingsAfter(this.#settings, view);
    if (view.sessionUpdate === 'tool_call' || view.sessionUpdate === 'tool_call_update') {
      const { toolCalls, grants } = subagent ?? this;
      toolCalls.note(view);
      if (isFinished(view)) grants.endCall(view.toolCallId);
    }
    if (view.sessionUpdate === 'subagent_update') this.subagents.take(sessionId, view, !this.#isOpen);
    const time = this.#turn?.time;
    time?.heard();
    const replay = this.#isReplaying;
    const event: UpdateEvent = {
      type: 'update',
      sessionId: this.id,
      update: raw,
      text,
      view,
      late: isLate,
      replay,
    };
    // A trace that was created here is not useful to other clients, and is not stored.
    const meta = given !== undefined && this.#trace.isOwn(given) ? withoutTraceContext(given) : given;
    const marked = subagent === undefined ? event : { ...event, subagent: subagent.name };
    const delivered = this.#host.deliver(meta === undefined ? marked : { ...marked, meta });
    // While our own side is behind, the agent waits for us.
    return delivered instanceof Promise && time !== undefined ? delivered.finally(time.pause()) : delivered;
  }

  /** Marks the start of a history replay. Call the returned function at its end. */
  beginReplay(): () => void {
    this.#isReplaying = true;
    return () => {
      this.#isReplaying = false;
      this.toolCalls.clear();
    };
  }

  async #change(change: Change, { signal }: SignalOptions): Promise<void> {
    this.#assertOpen('a setting');
    const { peer, requestTimeoutMs } = this.#agent;
    const options = { timeoutMs: requestTimeoutMs, ...(signal !== undefined && { signal }) };
    try {
      const toChanged = await applyChange(change, { peer, sessionId: this.id, options });
      this.#settings = toChanged(this.#settings);
      this.#host.emit({ type: 'settings', sessionId: this.id, ...this.#settings });
    } catch (error) {
      throw await this.#agent.explain(methodOf(change), error, signal);
    }
  }

  #cancelAtAgent(sessionId: string): void {
    const { peer } = this.#agent;
    peer.notify('session/cancel', { sessionId }).catch((error: unknown) => {
      if (this.#agent.isGone) return;
      this.#host.diagnose('warning', 'not-cancelled', `a sub-agent was not cancelled: ${String(error)}`);
    });
  }

  #assertOpen(method: string): void {
    if (this.#closing.signal.aborted) throw new HostError('closed', `${method}: the session was closed`);
  }

  #turnPlace(): TurnPlace {
    return {
      sessionId: this.id,
      cwd: this.cwd,
      host: this.#host,
      agent: this.#agent,
      toolCalls: this.toolCalls,
      openQuestions: () => this.#questions,
      cancelSubagents: (reason) => {
        this.subagents.cancel(reason);
      },
    };
  }
}
