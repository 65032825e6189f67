import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type ContentBlock,
  type Meta,
  type PromptRequest,
  type TraceContext,
  withTraceContext,
} from '@parley/acp';
import { expectStored, notStored } from '../../event/event-store.ts';
import type { TurnCancelEvent } from '../../event/turn-event.ts';
import type { HostContext } from '../../host-context.ts';
import { reportNetwork } from '../../network/report-network.ts';
import type { ToolCalls } from '../../permission/request/tool-calls.ts';
import { reportConverted } from '../../sandbox/report-converted.ts';
import type { PromptOptions, PromptResult } from '../agent-session.ts';
import type { SessionAgent } from '../session-agent.ts';
import { traceparentOf } from '../session-trace.ts';
import { isCancelled, ofUnknownOutcome, toResult, toTurnEnd, toTurnFailure } from './turn-result.ts';
import { TurnTime, type limitReached, type NearLimit } from './turn-time.ts';
import { toOpenToolCalls, type TurnWait } from './turn-wait.ts';
import { Turn } from './turn.ts';

/** Time that an agent has to end a cancelled turn. */
export const defaultGraceMs = 5000;

/** The session that a prompt is sent in, as its turn needs it. */
export interface TurnPlace {
  readonly sessionId: string;
  readonly cwd: string;
  readonly host: HostContext;
  readonly agent: SessionAgent;
  readonly toolCalls: ToolCalls;
  /** How many questions wait for an answer. */
  openQuestions(): number;
  /** Cancels the sub-agents that can be cancelled. */
  cancelSubagents(reason: typeof limitReached | undefined): void;
}

/** A prompt from the moment it is sent to its outcome. Every step is emitted as an event. */
export class PromptTurn {
  readonly turn: Turn;
  readonly #turnId = randomUUID();
  readonly #place: TurnPlace;
  readonly #blocks: readonly ContentBlock[];
  readonly #signal: AbortSignal | undefined;
  readonly #trace: TraceContext;
  readonly #meta: Meta | undefined;
  readonly #source: Pick<PromptOptions, 'promptId' | 'from'>;
  readonly #withdrawal = new AbortController();
  /** The agent has the prompt: its silence counts. */
  #resume: () => void = () => {};
  #isOver = false;

  constructor(
    place: TurnPlace,
    blocks: readonly ContentBlock[],
    { signal, trace, promptId, from, meta, ...limits }: PromptOptions & { readonly trace: TraceContext },
  ) {
    this.#place = place;
    this.#blocks = blocks;
    this.#signal = signal;
    this.#trace = trace;
    this.#meta = meta;
    this.#source = { ...(promptId !== undefined && { promptId }), ...(from !== undefined && { from }) };
    this.turn = new Turn(
      {
        cancelAtAgent: () => this.#sendCancel(),
        cancelRequest: () => {
          this.#emitStep('request-cancelled');
          this.#withdrawal.abort();
        },
        endAgent: () => this.#endAgent(),
      },
      new TurnTime({ ...limits, onNearly: (near) => void this.#nearLimit(near) }),
    );
  }

  /**
   * Sends the prompt, and waits for the end of the turn.
   *
   * @throws {HostError} `not-stored`: the prompt was not sent, or the turn was cancelled, or its end is not stored.
   */
  async run(): Promise<PromptResult> {
    const { store } = this.#place.host;
    if (store === undefined) return this.#run();
    await expectStored(store, 'session/prompt: the prompt was not sent');
    let failure: Error | undefined;
    const ignore = store.onFailure((error) => {
      if (this.#isOver || failure !== undefined) return;
      failure = notStored('session/prompt: the turn was cancelled', error);
      this.#place.host.diagnose('error', 'not-stored', failure.message);
      this.turn.cancel(defaultGraceMs);
    });
    try {
      const result = await this.#run();
      if (failure !== undefined) throw failure;
      await expectStored(store, 'session/prompt: the turn failed');
      return result;
    } finally {
      ignore();
    }
  }

  async #run(): Promise<PromptResult> {
    const { sessionId, cwd, host } = this.#place;
    const turnId = this.#turnId;
    const blocks = this.#blocks;
    const meta = this.#meta;
    const cancel = (): void => this.turn.cancel(defaultGraceMs);
    this.#signal?.addEventListener('abort', cancel, { once: true });
    const { checkpoints } = host;
    // Until it has the prompt, the agent's silence does not count.
    this.#resume = this.turn.time.pause();
    const { preface } = checkpoints === undefined ? {} : await checkpoints.begin({ sessionId, turnId, cwd });
    host.emit({
      type: 'turn-start',
      sessionId,
      turnId,
      prompt: blocks,
      ...(preface !== undefined && { preface }),
      ...this.#source,
      ...traceparentOf(this.#trace),
    });
    const prompt = preface === undefined ? blocks : [{ type: 'text', text: preface } as const, ...blocks];
    try {
      const ended = await this.#sendStored(
        withTraceContext({ sessionId, prompt, ...(meta !== undefined && { _meta: meta }) }, this.#trace),
      );
      const { reached } = this.turn;
      const result = reached === undefined ? ended : { ...ended, reached };
      await this.#reportEffects();
      host.emit(toTurnEnd(sessionId, turnId, result));
      return result;
    } catch (error) {
      await this.#reportEffects();
      host.emit({ type: 'turn-end', sessionId, turnId, ...toTurnFailure(error) });
      throw error;
    } finally {
      this.#isOver = true;
      this.#signal?.removeEventListener('abort', cancel);
    }
  }

  /** What the turn changed and which hosts it used comes before its end. */
  async #reportEffects(): Promise<void> {
    const { host } = this.#place;
    this.turn.answered();
    const changes = await host.checkpoints?.end();
    if (changes !== undefined) host.emit(changes);
    reportNetwork(host, this.#place.sessionId);
    reportConverted(host);
  }

  /** Sends the prompt once it is stored and a checkpoint exists. */
  async #sendStored(params: PromptRequest): Promise<PromptResult> {
    const { store, checkpoints } = this.#place.host;
    if (store === undefined && checkpoints === undefined) return this.#send(params);
    await expectStored(store, 'session/prompt: the prompt was not sent');
    await checkpoints?.beforePrompt();
    return this.turn.isCancelled ? { stopReason: 'cancelled' } : this.#send(params);
  }

  async #send(params: PromptRequest): Promise<PromptResult> {
    const { peer } = this.#place.agent;
    this.#resume();
    try {
      const withdrawal = this.#withdrawal.signal;
      const result = toResult(await peer.request('session/prompt', params, { withdrawal }));
      if (result.stopReason === 'unknown') this.#diagnoseStopReason(result.rawStopReason);
      return result;
    } catch (error) {
      return await this.#afterFailure(error);
    }
  }

  /**
   * Determines and reports what the turn is waiting for, and cancels it, unless the agent sends something in time.
   */
  async #nearLimit({ limit, limitMs, leftMs }: NearLimit): Promise<void> {
    const { sessionId, host, agent, toolCalls } = this.#place;
    const { turn } = this;
    const [process] = await Promise.all([agent.load(leftMs), delay(leftMs, undefined, { ref: false })]);
    if (this.#isOver || turn.isCancelled || !turn.time.isReached(limit)) return;
    const waitsFor: TurnWait = {
      silentMs: turn.time.silentMs,
      toolCalls: toOpenToolCalls(toolCalls.open()),
      questions: this.#place.openQuestions(),
      ...(process !== undefined && { process }),
    };
    host.emit({ type: 'turn-timeout', sessionId, turnId: this.#turnId, limit, limitMs, waitsFor });
    turn.expire(limit, defaultGraceMs);
  }

  #emitStep(step: TurnCancelEvent['step']): void {
    const { sessionId, host } = this.#place;
    host.emit({ type: 'turn-cancel', sessionId, turnId: this.#turnId, step });
  }

  #sendCancel(): void {
    const { sessionId, agent } = this.#place;
    this.#emitStep('asked');
    agent.peer.notify('session/cancel', { sessionId }).catch(() => {
      // It cannot be sent any more: the prompt fails for the same reason, and says so.
    });
    // An agent may let sub-agents run that the turn does not wait for.
    this.#place.cancelSubagents(this.turn.cancelReason);
  }

  #endAgent(): void {
    const { host, agent } = this.#place;
    this.#emitStep('agent-ended');
    const message = 'the cancelled turn did not end in time; the agent is being ended';
    host.diagnose('warning', 'agent-ended', message);
    void agent.end();
  }

  #diagnoseStopReason(raw = ''): void {
    const message = `session/prompt: the turn ended for an unknown reason: ${JSON.stringify(raw)}`;
    this.#place.host.diagnose('warning', 'unknown-variant', message);
  }

  /** Cancelling is a result, even where the agent answers it with an error or had to be ended. */
  async #afterFailure(error: unknown): Promise<PromptResult> {
    const { host, agent } = this.#place;
    if (!this.turn.isCancelled) throw await this.#explain(error);
    if (this.turn.isAgentEnded || agent.isGone) return { stopReason: 'cancelled', agentEnded: true };
    // The answer that `$/cancel_request` asks for.
    if (!isCancelled(error)) {
      const message = `the cancelled prompt was answered with an error: ${String(error)}`;
      host.diagnose('info', 'cancel-error', message);
    }
    return { stopReason: 'cancelled' };
  }

  async #explain(error: unknown): Promise<Error> {
    const { agent, toolCalls } = this.#place;
    const explained = await agent.explain('session/prompt', error);
    return agent.isGone ? ofUnknownOutcome(explained, toolCalls.open()) : explained;
  }
}
