import type { ContentBlock, Meta, PromptResponse, TraceContext } from '@parley/acp';
import { RpcError, rpcCodes } from '@parley/wire';
import type { CancelOptions, PromptResult } from '../agent-session/agent-session.ts';
import type { TurnLimits } from '../agent-session/turn/turn-time.ts';
import { createCount } from '../count.ts';
import type { Sender } from '../event/sender.ts';
import type { QueueChange } from '../hub/hub-methods.ts';
import type { QueuedPrompt } from '../hub/hub-session.ts';
import type { AgentRun } from './agent-run.ts';
import type { OnDemandAgent } from './on-demand-agent.ts';
import {
  changedQueue,
  emptyQueue,
  heldQueue,
  withoutNext,
  withoutUrgency,
  withPrompt,
  type PromptQueue,
  type QueueLimits,
} from './queue/prompt-queue.ts';
import { toRpcError } from './to-rpc-error.ts';

/** What the turns of a session need. */
export interface SessionTurnsOptions {
  readonly onDemand: OnDemandAgent;
  readonly limits: QueueLimits;
  /** What waited when the program before ended. */
  readonly kept: readonly QueuedPrompt[];
  /** The queue is another. */
  readonly onQueue: () => void;
  readonly onFault: (error: unknown) => void;
}

/** Whose prompt it is. */
export interface PromptSender {
  /** @default the only user of the session */
  readonly from?: Sender;
  /** What needs a user is rejected while no client is connected that may answer. */
  readonly isUnattended: boolean;
  /** @default one that is made here */
  readonly id?: string;
  /** How long its turn may take. @default as long as it likes */
  readonly limits?: TurnLimits;
  /** What the agent is sent in the `_meta` of the prompt. @default only the trace */
  readonly meta?: Meta;
  /** The trace that its turn is part of. @default the session's */
  readonly trace?: TraceContext;
  /** Sets up the session that the agent has open, and gives what it is sent: called when it runs. @default it is sent the prompt as it is */
  readonly prepare?: (run: AgentRun) => Promise<readonly ContentBlock[]>;
}

/** A prompt on its way. */
export interface SentPrompt {
  readonly id: string;
  /** Settles when its turn has ended. Rejects as the agent or the host did. */
  readonly ended: Promise<PromptResult>;
  /** The same for a client: rejects with an `RpcError`. */
  readonly answered: Promise<PromptResponse>;
}

interface Waiter {
  readonly resolve: (result: PromptResult) => void;
  readonly reject: (error: unknown) => void;
}

/** The turns of a session, one after the other, and what waits behind them. */
export class SessionTurns {
  readonly #options: SessionTurnsOptions;
  readonly #running = createCount();
  readonly #waiters = new Map<string, Waiter>();
  /** Of the prompts that wait or run, by their ids. Those that were kept have none. */
  readonly #senders = new Map<string, PromptSender>();
  /** The prompts that waited when the owner before ended. */
  readonly #restored: ReadonlySet<string>;
  /** Those of them that have a turn in the event log: the owner was killed before it took them out of the queue. */
  readonly #begun = new Set<string>();
  #queue: PromptQueue;
  /** The prompt of the turn that runs, or is about to. */
  #turn: QueuedPrompt | undefined;
  #isCancelled = false;

  constructor(options: SessionTurnsOptions) {
    this.#options = options;
    // The client that waited for it is gone, and may not want it any more.
    this.#queue = heldQueue({ ...emptyQueue, prompts: options.kept });
    this.#restored = new Set(options.kept.map(({ id }) => id));
  }

  get queue(): PromptQueue {
    return this.#queue;
  }

  /** Whether a turn runs, or is about to. */
  get isBusy(): boolean {
    return this.#turn !== undefined;
  }

  /** Whether the turn that runs, or is about to, was cancelled. */
  get isCancelled(): boolean {
    return this.#turn !== undefined && this.#isCancelled;
  }

  /** Whether the turn that runs, or is about to, is for a client that cannot answer. */
  get isUnattended(): boolean {
    return this.#turn !== undefined && this.#senders.get(this.#turn.id)?.isUnattended === true;
  }

  /** Sends a prompt when those before it have been answered. @throws {RpcError} The queue is full. */
  send(blocks: readonly ContentBlock[], sender: PromptSender): SentPrompt {
    const { queue, prompt } = withPrompt(this.#queue, blocks, this.#options.limits, sender.id);
    this.#senders.set(prompt.id, sender);
    const ended = new Promise<PromptResult>((resolve, reject) => {
      this.#waiters.set(prompt.id, { resolve, reject });
    });
    const answered = ended.then(toResponse, (error: unknown) => {
      throw toRpcError(error) ?? new RpcError(rpcCodes.internalError, 'the turn failed here');
    });
    // A client wants one of them, and hears of the failure there.
    answered.catch(() => undefined);
    this.#setQueue(queue);
    this.#sendNext();
    return { id: prompt.id, ended, answered };
  }

  /** The sender of a prompt wants no answer any more: its turn is cancelled; a queued prompt stays, without a sender that waits. */
  async withdraw(id: string): Promise<void> {
    if (this.#turn?.id === id) await this.cancel();
    else this.#answer(id, { stopReason: 'cancelled' });
  }

  /** Cancels the turn that runs; what waits behind it is held, also what was to go at once. */
  async cancel(options?: CancelOptions): Promise<void> {
    if (this.#turn === undefined) return;
    this.#setQueue(withoutUrgency(this.#queue));
    await this.#endTurn(options);
  }

  async #endTurn(options?: CancelOptions): Promise<void> {
    const { onDemand } = this.#options;
    this.#isCancelled = true;
    if (onDemand.run === undefined) onDemand.abandonStart();
    else await onDemand.run.session.cancel(options);
  }

  /** The turn waits for an application: once that has taken a while, its agent may be ended for another session. */
  pause(): void {
    this.#options.onDemand.pause();
  }

  /** The application has answered. */
  resume(): void {
    this.#options.onDemand.resume();
  }

  /** @throws {RpcError} There is no such prompt, or it is too long. */
  change(change: QueueChange): void {
    const before = this.#queue.prompts;
    this.#setQueue(changedQueue(this.#queue, change, this.#options.limits));
    for (const { id } of before) {
      const isThere = this.#queue.prompts.some((prompt) => prompt.id === id);
      if (isThere) continue;
      this.#senders.delete(id);
      this.#answer(id, { stopReason: 'cancelled' });
    }
    if (change.kind === 'send-now' && this.#turn !== undefined && !this.#isCancelled) {
      this.#endTurn().catch(this.#options.onFault);
    }
    this.#sendNext();
  }

  /** The event log has a turn of this prompt: nothing runs twice. */
  takeTurn(promptId: string): void {
    if (!this.#restored.has(promptId)) return;
    this.#begun.add(promptId);
    const { prompts, isHeld } = this.#queue;
    const others = prompts.filter(({ id }) => id !== promptId);
    if (others.length < prompts.length) {
      this.#setQueue({ ...this.#queue, prompts: others, isHeld: isHeld && others.length > 0 });
    }
  }

  /** Nothing is sent any more, until the user resumes the queue. */
  hold(): void {
    this.#setQueue(heldQueue(this.#queue));
  }

  /** Settles when no turn runs, or after a while. */
  settled(atMostMs: number): Promise<void> {
    return this.#running.none(atMostMs);
  }

  #sendNext(): void {
    if (this.#turn !== undefined) return;
    const next = withoutNext(this.#queue);
    if (next === undefined) return;
    this.#turn = next.prompt;
    this.#isCancelled = false;
    this.#setQueue(next.queue);
    void this.#run(next.prompt);
  }

  async #run({ id, blocks }: QueuedPrompt): Promise<void> {
    const settle = this.#running.add();
    const end = (isDone: boolean): void => {
      this.#turn = undefined;
      this.#senders.delete(id);
      settle();
      if (!isDone && this.#queue.urgent === undefined) this.hold();
      this.#sendNext();
      this.#options.onDemand.rest();
    };
    try {
      const response = await this.#turnOf(id, blocks);
      end(response.stopReason !== 'cancelled');
      this.#answer(id, response);
    } catch (error) {
      end(false);
      this.#fail(id, error);
    }
  }

  async #turnOf(promptId: string, blocks: readonly ContentBlock[]): Promise<PromptResult> {
    const { onDemand } = this.#options;
    try {
      const run = await onDemand.take();
      if (this.#isCancelled) return { stopReason: 'cancelled' };
      if (this.#begun.has(promptId)) return { stopReason: 'end_turn' };
      const { from, limits, meta, trace, prepare } = this.#senders.get(promptId) ?? {};
      const prompt = prepare === undefined ? blocks : await prepare(run);
      if (this.isCancelled) return { stopReason: 'cancelled' };
      return await run.session.prompt(prompt, {
        promptId,
        ...limits,
        ...(from !== undefined && { from }),
        ...(meta !== undefined && { meta }),
        ...(trace !== undefined && { trace }),
      });
    } catch (error) {
      // It was cancelled while its agent was being started.
      if (this.#isCancelled && onDemand.run === undefined) return { stopReason: 'cancelled' };
      throw error;
    }
  }

  #answer(id: string, result: PromptResult): void {
    this.#waiters.get(id)?.resolve(result);
    this.#waiters.delete(id);
  }

  #fail(id: string, error: unknown): void {
    if (toRpcError(error) === undefined) this.#options.onFault(error);
    this.#waiters.get(id)?.reject(error);
    this.#waiters.delete(id);
  }

  #setQueue(queue: PromptQueue): void {
    const { prompts, isHeld } = this.#queue;
    this.#queue = queue;
    if (queue.isHeld !== isHeld || queue.prompts !== prompts) this.#options.onQueue();
  }
}

/** What is not a stop reason of the protocol is an end like any other; the events say what the agent called it. */
function toResponse({ stopReason, response }: PromptResult): PromptResponse {
  const { raw: _unread, ...answered }: Partial<PromptResponse> = response ?? {};
  return { ...answered, stopReason: stopReason === 'unknown' ? 'end_turn' : stopReason };
}
