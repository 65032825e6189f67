import type { Clock } from '@parley/wire';
import type { ContentBlock, ImageContentBlock } from '../../content-block.ts';
import type { HistoryMessage } from '../../message.ts';
import type { ToolResult } from '../../tool-result.ts';
import type { ServerToolRef, ToolCall, ToolSpec } from '../../tool.ts';
import type { AapServerLimits } from '../limits.ts';
import { checkJson } from '../schema/check-json.ts';
import { findInputFault } from '../schema/find-input-fault.ts';
import type {
  CallPermission,
  Extras,
  ResultExtras,
  Run,
  RunEnd,
  RunInput,
  RunSender,
  RunStop,
  ServedAgent,
  AapSessionChange,
} from '../served-agent.ts';
import { AapServerError } from '../server-error.ts';
import type { ApplicationAnswer } from '../session/aap-session-record.ts';
import { checkedSizeOf } from './event-size.ts';
import { HeldCalls, toPermission, type Unanswered } from './held-calls.ts';
import type { Asked, LoggedTurnEvent, LoggedToolCall } from './logged-turn-event.ts';
import { PausedEvents } from './paused-events.ts';
import {
  deniedText,
  failedOutcome,
  notEnabledText,
  stoppedOutcome,
  toAllowedEnd,
  unknownOutcomeText,
} from './run-outcome.ts';
import type { RunSession } from './run-session.ts';

/** What a run begins with. */
export interface SessionRunOptions {
  readonly turnId: string;
  readonly input: RunInput;
  readonly sender: RunSender;
  readonly history: readonly HistoryMessage[];
  /** Calls without a result, of a run that no longer exists. */
  readonly open: readonly string[];
  readonly trace?: Run['trace'];
  readonly limits: AapServerLimits;
  readonly clock: Clock;
}

type Phase = 'turn' | 'pause' | 'over';

/**
 * One run of an agent, over as many turns as it takes. While calls wait for the application and nothing else runs,
 * the turn is stopped; what the agent says meanwhile is for the next.
 */
export class SessionRun implements Run {
  readonly input: RunInput;
  readonly history: readonly HistoryMessage[];
  readonly trace?: NonNullable<Run['trace']>;
  readonly #session: RunSession;
  readonly #limits: AapServerLimits;
  readonly #clock: Clock;
  readonly #abort = new AbortController();
  readonly #held: HeldCalls;
  readonly #unsaid: PausedEvents;
  /** Calls that were emitted, and have no result. */
  readonly #open: Set<string>;
  #turnId: string;
  #sender: RunSender;
  #phase: Phase = 'turn';
  #stopReason: RunStop | undefined;
  #stopTimers: (() => void)[] = [];
  #end: () => void = () => undefined;
  #reportPause: (isPaused: boolean) => void = () => undefined;
  readonly #ended: Promise<void>;

  constructor(session: RunSession, options: SessionRunOptions) {
    this.#session = session;
    this.#limits = options.limits;
    this.#clock = options.clock;
    this.#turnId = options.turnId;
    this.#sender = options.sender;
    this.input = options.input;
    this.history = options.history;
    if (options.trace !== undefined) this.trace = options.trace;
    this.#open = new Set(options.open);
    this.#held = new HeldCalls(options.clock, options.limits, () => this.#pause());
    this.#unsaid = new PausedEvents(options.limits);
    this.#ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  get sessionId(): string {
    return this.#session.sessionId;
  }

  get turnId(): string {
    return this.#turnId;
  }

  get sender(): RunSender {
    return this.#sender;
  }

  get options(): Readonly<Record<string, string>> {
    return this.#session.settings.options;
  }

  get serverTools(): ReadonlyMap<string, ServerToolRef> {
    return this.#session.settings.serverTools;
  }

  get clientTools(): readonly ToolSpec[] {
    return this.#session.settings.clientTools;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get state(): unknown {
    return this.#session.remembered;
  }

  /** Begins. Its outcome is reported to the session. */
  start(agent: ServedAgent): void {
    this.#startTurnTimer();
    void this.#run(agent);
  }

  /** Continues in another turn, with the application's answers to all calls that wait for it. */
  resume(turnId: string, answers: readonly ApplicationAnswer[], sender: RunSender): void {
    this.#turnId = turnId;
    this.#sender = sender;
    this.#phase = 'turn';
    this.#reportPause(false);
    this.#stopAllTimers();
    this.#startTurnTimer();
    for (const answer of answers) this.#answer(answer);
    for (const event of this.#unsaid.take()) void this.#session.emit(event);
    this.#held.watch(this.#canPause);
  }

  /** Cancels the run. Settles when it has ended, which is soon even if the agent does not react. */
  stop(reason: RunStop, by: Unanswered = 'cancelled'): Promise<void> {
    if (this.#phase !== 'over' && this.#stopReason === undefined) {
      this.#stopAllTimers();
      this.#stopReason = reason;
      this.#abort.abort(reason);
      this.#held.end(by);
      this.#stopTimers.push(
        this.#clock.after(this.#limits.stopMs, () => this.#finish({ stopReason: 'error' })),
      );
    }
    return this.#ended;
  }

  async remember(state: unknown): Promise<void> {
    checkJson('what the agent keeps', state, this.#limits.eventDepth);
    await this.#session.remember(state);
  }

  async updateSession(change: AapSessionChange): Promise<void> {
    checkJson('a change of the session', change, this.#limits.eventDepth);
    await this.#session.update(change);
  }

  onPause(listener: (isPaused: boolean) => void): void {
    this.#reportPause = listener;
  }

  text(delta: string): void | Promise<void> {
    return delta === '' ? undefined : this.#say({ event: 'text_delta', delta });
  }

  thinking(delta: string): void | Promise<void> {
    return delta === '' ? undefined : this.#say({ event: 'thinking_delta', delta });
  }

  flush(): void {
    this.#session.flush();
  }

  endBlock(): void {
    void this.#say({ event: 'block_end' });
  }

  image({ url }: ImageContentBlock): void | Promise<void> {
    return this.extension('image', { url });
  }

  extension(name: string, data: Readonly<Record<string, unknown>>): void | Promise<void> {
    if (!eventName.test(name)) throw new TypeError(`${JSON.stringify(name)} is not a valid event name`);
    return this.#say({ event: 'extension', name, data });
  }

  announce(pending: number): void {
    if (this.#held.announce(pending)) this.#held.watch(this.#canPause);
  }

  toolCall(call: ToolCall, extras: Extras = {}): void | Promise<void> {
    if (this.#open.has(call.toolCallId) || this.#held.has(call.toolCallId)) return undefined;
    const said = this.#say(toEvent(call, extras));
    this.#open.add(call.toolCallId);
    this.#held.watch(this.#canPause);
    return said;
  }

  toolResult(result: ToolResult, { meta, isError, shown }: ResultExtras = {}): void | Promise<void> {
    if (!this.#open.has(result.toolCallId)) return undefined;
    const said = this.#say({
      event: 'tool_result',
      toolCallId: result.toolCallId,
      content: result.content,
      ...(isError !== undefined && { isError }),
      ...(shown !== undefined && { shown }),
      ...(meta !== undefined && { _meta: meta }),
    });
    this.#open.delete(result.toolCallId);
    this.#held.watch(this.#canPause);
    return said;
  }

  async permission(call: ToolCall, extras: Extras = {}): Promise<CallPermission> {
    this.#expectNewCall(call);
    if (this.signal.aborted) return { granted: false, by: 'cancelled' };
    const tool = this.serverTools.get(call.name);
    if (tool === undefined) {
      await this.toolCall(call, extras);
      await this.#deny(call.toolCallId, notEnabledText);
      return { granted: false, by: 'disabled' };
    }
    if (tool.trust === true) {
      await this.toolCall(call, extras);
      return { granted: true };
    }
    return toPermission(await this.#hold(call, 'permission', extras));
  }

  async callClientTool(call: ToolCall, extras: Extras = {}): Promise<string | readonly ContentBlock[]> {
    this.#expectNewCall(call);
    const tool = this.clientTools.find(({ name }) => name === call.name);
    if (tool === undefined) {
      throw new AapServerError('unknown-tool', `the application has no tool ${JSON.stringify(call.name)}`);
    }
    checkJson(`the input of ${call.name}`, call.input, this.#limits.eventDepth);
    const fault = findInputFault(tool.parameters, call.input);
    if (fault !== undefined) throw new AapServerError('invalid-input', `${call.name}: ${fault}`);
    if (this.signal.aborted) throw this.#overError();
    const settled = await this.#hold(call, 'result', extras);
    switch (settled.kind) {
      case 'result':
        return settled.content;
      case 'denied':
        return deniedText(settled.reason);
      case 'granted':
      case 'ended':
        throw this.#overError();
    }
  }

  async #run(agent: ServedAgent): Promise<void> {
    let end: RunEnd;
    try {
      const returned = await agent.run(this);
      checkJson("the end of the agent's run", returned, this.#limits.eventDepth);
      end = toAllowedEnd(returned);
    } catch (error) {
      end = failedOutcome(error);
    }
    this.#finish(end);
  }

  #finish(end: RunEnd): void {
    if (this.#phase === 'over') return;
    const hadTurn = this.#phase === 'turn';
    this.#stopAllTimers();
    this.#held.end('cancelled');
    if (hadTurn) {
      for (const toolCallId of this.#open) {
        void this.#session.emit({
          event: 'tool_result',
          toolCallId,
          content: unknownOutcomeText,
          isError: true,
        });
      }
      this.#session.stopTurn(this.#stopReason === undefined ? end : stoppedOutcome(this.#stopReason, end));
    }
    this.#phase = 'over';
    this.#session.runEnded(this.signal.aborted ? [] : this.#unsaid.take());
    this.#end();
  }

  #pause(): void {
    if (this.#phase !== 'turn') return;
    for (const call of this.#held.waiting()) void this.#session.emit(call);
    this.#stopAllTimers();
    this.#phase = 'pause';
    this.#stopTimers.push(this.#clock.after(this.#limits.answerMs, () => void this.#session.expireCalls()));
    this.#session.stopTurn({ stopReason: 'tool_use' });
    this.#reportPause(true);
  }

  #answer(answer: ApplicationAnswer): void {
    const { toolCallId } = answer;
    // The call counts as open from here on: a grant is for one result, and a denial is one itself.
    if (answer.kind !== 'result') this.#open.add(toolCallId);
    if (answer.kind === 'denied') void this.#deny(toolCallId, answer.reason);
    this.#held.settle(toolCallId, answer);
  }

  #deny(toolCallId: string, reason: string | undefined): void | Promise<void> {
    return this.toolResult({ toolCallId, content: deniedText(reason) });
  }

  #hold(call: ToolCall, asks: Asked, extras: Extras): ReturnType<HeldCalls['hold']> {
    const event = { ...toEvent(call, extras), asks };
    // It is sent later, when an error could no longer be reported.
    checkedSizeOf(event, this.#limits.eventDepth);
    const settled = this.#held.hold(event);
    this.#held.watch(this.#canPause);
    return settled;
  }

  /** Everything that was emitted is finished: only the application can bring the run on. */
  get #canPause(): boolean {
    return this.#phase === 'turn' && this.#open.size === 0 && !this.signal.aborted;
  }

  #say(event: LoggedTurnEvent): void | Promise<void> {
    switch (this.#phase) {
      case 'turn':
        if (this.#session.isOverloaded) {
          throw new AapServerError(
            'overloaded',
            `session ${this.sessionId}: the agent does not wait for the store`,
          );
        }
        return this.#session.emit(event);
      case 'pause':
        return this.signal.aborted ? undefined : this.#unsaid.add(event);
      case 'over':
        // An agent that takes no notice of its signal ends here.
        throw this.#overError();
    }
  }

  #overError(): AapServerError {
    return new AapServerError('run-over', `session ${this.sessionId}: the run was cancelled`);
  }

  #expectNewCall({ toolCallId }: ToolCall): void {
    if (!this.#open.has(toolCallId) && !this.#held.has(toolCallId)) return;
    throw new AapServerError('open-call', `the call ${JSON.stringify(toolCallId)} was already emitted`);
  }

  #startTurnTimer(): void {
    this.#stopTimers.push(this.#clock.after(this.#limits.turnMs, () => void this.stop('deadline')));
  }

  #stopAllTimers(): void {
    for (const stop of this.#stopTimers) stop();
    this.#stopTimers = [];
  }
}

const eventName = /^[A-Za-z][\w.-]*$/;

function toEvent({ toolCallId, name, input }: ToolCall, { meta }: Extras): LoggedToolCall {
  return { event: 'tool_call', toolCallId, name, input, ...(meta !== undefined && { _meta: meta }) };
}
