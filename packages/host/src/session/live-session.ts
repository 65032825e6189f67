import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type AgentPeer,
  type ContentBlock,
  type PromptRequest,
  type SessionConfigOption,
  type SessionModeState,
  type SessionUpdate,
  type TraceContext,
  withTraceContext,
} from '@parley/acp';
import type { Files, ProcessLoad } from '@parley/workspace';
import type { HostContext } from '../host-context.ts';
import { HostError } from '../host-error.ts';
import type { SessionEndEvent } from '../host-event.ts';
import { createGrants, type Grants } from '../permission/grants.ts';
import { createToolCalls, isFinished, type ToolCalls } from '../permission/tool-calls.ts';
import { createTerminals, type Terminals } from '../terminal/terminals.ts';
import { applyChange, methodOf } from './apply-change.ts';
import { chooseMode, chooseModel, chooseConfigOption, type Change } from './choose-setting.ts';
import type { SessionScope } from './session-scope.ts';
import { traceparentOf, type SessionTrace } from './session-trace.ts';
import type {
  CancelOptions,
  LegacyModel,
  PromptOptions,
  PromptResult,
  Session,
  SignalOptions,
} from './session.ts';
import { settingsAfter, type Settings } from './settings.ts';
import { isCancelled, ofUnknownOutcome, toResult, toTurnEnd, toTurnFailure } from './turn-result.ts';
import { TurnTime, type NearLimit } from './turn-time.ts';
import { toOpenToolCalls, type TurnWait } from './turn-wait.ts';
import { Turn } from './turn.ts';

/** How long an agent may take to end a cancelled turn. */
const defaultGraceMs = 5000;

/** The agent, as its sessions use it. */
export interface SessionAgent {
  readonly peer: AgentPeer;
  readonly requestTimeoutMs: number;
  /** How long it may take to open a session. */
  readonly openTimeoutMs: number;
  /** Whether it advertises Agentao's extension that takes a model by any name. */
  readonly takesAnyModel: boolean;
  /** Whether there is anybody to talk to. */
  readonly isGone: boolean;
  end(): Promise<unknown>;
  /** Looks for that long what its processes do, where there are any and the system tells. */
  load(lookMs: number): Promise<ProcessLoad | undefined>;
  /** The trace that its user is in. */
  readonly trace: TraceContext | undefined;
  /** Makes a failed request an error of this package. */
  explain(method: string, error: unknown, signal?: AbortSignal): Promise<Error>;
  /** The session is closed. */
  forget(sessionId: string): void;
}

/** What makes a session, once its id is known. */
export interface LiveSessionOptions {
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
}

/** A session from both sides: what its user does with it, and what the agent may reach through it. */
export class LiveSession implements Session, SessionScope {
  readonly id: string;
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  readonly files: Files;
  readonly terminals: Terminals = createTerminals();
  readonly toolCalls: ToolCalls = createToolCalls();
  readonly grants: Grants = createGrants();
  readonly #host: HostContext;
  readonly #agent: SessionAgent;
  readonly #trace: SessionTrace;
  readonly #closing = new AbortController();
  /** What the agent lets the client set, as it told last. */
  #settings: Settings = {};
  #turn: Turn | undefined;
  #questions = 0;
  /** Whether the agent is telling the history again. */
  #isReplaying = false;

  constructor({ id, cwd, additionalDirectories, files, host, agent, trace }: LiveSessionOptions) {
    this.id = id;
    this.cwd = cwd;
    this.additionalDirectories = additionalDirectories;
    this.files = files;
    this.#host = host;
    this.#agent = agent;
    this.#trace = trace;
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

  get questionSignal(): AbortSignal {
    return this.#turn?.questionSignal ?? this.#closing.signal;
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
    const { signal, trace = this.#trace.next(), ...limits } = options;
    this.#assertOpen('session/prompt');
    if (this.#turn !== undefined) {
      throw new HostError('turn-running', 'session/prompt: the session is in the middle of a turn');
    }
    if (signal?.aborted === true) return { stopReason: 'cancelled' };
    const turnId = randomUUID();
    const withdrawal = new AbortController();
    const turn = new Turn(
      {
        tellAgent: () => this.#tellCancelled(turnId),
        cancelRequest: () => {
          this.#host.emit({ type: 'turn-cancel', sessionId: this.id, turnId, step: 'request-cancelled' });
          withdrawal.abort();
        },
        endAgent: () => this.#endAgent(turnId),
      },
      new TurnTime({
        ...limits,
        onNearly: (near) => void this.#nearLimit(turn, turnId, near),
      }),
    );
    this.#turn = turn;
    const cancel = (): void => turn.cancel(defaultGraceMs);
    signal?.addEventListener('abort', cancel, { once: true });
    this.#host.emit({
      type: 'turn-start',
      sessionId: this.id,
      turnId,
      prompt: blocks,
      ...traceparentOf(trace),
    });
    try {
      const params = withTraceContext({ sessionId: this.id, prompt: blocks }, trace);
      const ended = await this.#runTurn(turn, params, withdrawal.signal);
      const { reached } = turn;
      const result = reached === undefined ? ended : { ...ended, reached };
      this.#host.emit(toTurnEnd(this.id, turnId, result));
      return result;
    } catch (error) {
      this.#host.emit({ type: 'turn-end', sessionId: this.id, turnId, ...toTurnFailure(error) });
      throw error;
    } finally {
      signal?.removeEventListener('abort', cancel);
      this.#turn = undefined;
      this.toolCalls.clear();
      this.grants.endTurn();
      this.#host.answers.endTurn(this.id);
      turn.end();
    }
  }

  async cancel({ graceMs = defaultGraceMs }: CancelOptions = {}): Promise<void> {
    this.#turn?.cancel(graceMs);
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
    await this.letGo('closed');
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
  begin(offered: Settings): void {
    this.#settings = { ...this.#settings, ...offered };
    this.#host.emit({ type: 'session-ready', sessionId: this.id, ...this.#settings });
  }

  /** Ends what the session holds on this side: open questions, and terminals with their processes. */
  async letGo(reason: SessionEndEvent['reason']): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    await this.terminals.endAll();
    this.#host.emit({ type: 'session-end', sessionId: this.id, reason });
  }

  /** Takes an update from the agent, in the order they came. */
  receive({ view, raw, text, isLate }: Arrival): void | Promise<void> {
    this.#settings = settingsAfter(this.#settings, view);
    if (view.sessionUpdate === 'tool_call' || view.sessionUpdate === 'tool_call_update') {
      this.toolCalls.note(view);
      if (isFinished(view)) this.grants.endCall(view.toolCallId);
    }
    const time = this.#turn?.time;
    time?.heard();
    const replay = this.#isReplaying;
    const delivered = this.#host.deliver({
      type: 'update',
      sessionId: this.id,
      update: raw,
      text,
      view,
      late: isLate,
      replay,
    });
    // While our own side is behind, the agent waits for us.
    return delivered instanceof Promise && time !== undefined ? delivered.finally(time.pause()) : delivered;
  }

  /** The agent begins to tell the history again. Returns what to call when it has. */
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

  #assertOpen(method: string): void {
    if (this.#closing.signal.aborted) throw new HostError('closed', `${method}: the session was closed`);
  }

  /** Looks what the turn waits for, says so, and cancels it, unless the agent is heard before it is too late. */
  async #nearLimit(turn: Turn, turnId: string, { limit, limitMs, leftMs }: NearLimit): Promise<void> {
    const [process] = await Promise.all([this.#agent.load(leftMs), delay(leftMs, undefined, { ref: false })]);
    if (turn !== this.#turn || turn.isCancelled || !turn.time.isReached(limit)) return;
    const waitsFor: TurnWait = {
      silentMs: turn.time.silentMs,
      toolCalls: toOpenToolCalls(this.toolCalls.open()),
      questions: this.#questions,
      ...(process !== undefined && { process }),
    };
    this.#host.emit({ type: 'turn-timeout', sessionId: this.id, turnId, limit, limitMs, waitsFor });
    turn.expire(limit, defaultGraceMs);
  }

  #tellCancelled(turnId: string): void {
    this.#host.emit({ type: 'turn-cancel', sessionId: this.id, turnId, step: 'asked' });
    this.#agent.peer.notify('session/cancel', { sessionId: this.id }).catch(() => {
      // It cannot be told any more: the prompt fails for the same reason, and says so.
    });
  }

  #endAgent(turnId: string): void {
    this.#host.emit({ type: 'turn-cancel', sessionId: this.id, turnId, step: 'agent-ended' });
    const message = 'the cancelled turn did not end in time; the agent is being ended';
    this.#host.diagnose('warning', 'agent-ended', message);
    void this.#agent.end();
  }

  async #runTurn(turn: Turn, params: PromptRequest, withdrawal: AbortSignal): Promise<PromptResult> {
    try {
      const result = toResult(await this.#agent.peer.request('session/prompt', params, { withdrawal }));
      if (result.stopReason === 'unknown') this.#diagnoseStopReason(result.rawStopReason);
      return result;
    } catch (error) {
      return await this.#afterFailure(turn, error);
    }
  }

  #diagnoseStopReason(raw = ''): void {
    const message = `session/prompt: the turn ended for a reason that nobody here knows: ${JSON.stringify(raw)}`;
    this.#host.diagnose('warning', 'unknown-variant', message);
  }

  async #explainPrompt(error: unknown): Promise<Error> {
    const explained = await this.#agent.explain('session/prompt', error);
    return this.#agent.isGone ? ofUnknownOutcome(explained, this.toolCalls.open()) : explained;
  }

  /** Cancelling is a result, even where the agent answers it with an error or had to be ended. */
  async #afterFailure(turn: Turn, error: unknown): Promise<PromptResult> {
    if (!turn.isCancelled) throw await this.#explainPrompt(error);
    if (turn.isAgentEnded || this.#agent.isGone) return { stopReason: 'cancelled', agentEnded: true };
    // The answer that `$/cancel_request` asks for.
    if (isCancelled(error)) return { stopReason: 'cancelled' };
    this.#host.diagnose(
      'info',
      'cancel-error',
      `the cancelled prompt was answered with an error: ${String(error)}`,
    );
    return { stopReason: 'cancelled' };
  }
}
