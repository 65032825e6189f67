import { randomUUID } from 'node:crypto';
import type { ContentBlock, Meta, PromptResponse, TraceContext } from '@parley/acp';
import { RpcError, rpcCodes } from '@parley/wire';
import type { CancelOptions, PromptResult } from '../agent-session/agent-session.ts';
import type { TurnLimits } from '../agent-session/turn/turn-time.ts';
import { createCount } from '../count.ts';
import type { HostEvent } from '../event/host-event.ts';
import type { LoggedEvent } from '../event/logged-event.ts';
import type { Sender } from '../event/sender.ts';
import type { SteeringOutcome } from '../event/steering-event.ts';
import { HostError } from '../host-error.ts';
import type { QueueChange } from '../hub/hub-methods.ts';
import type { QueuedPrompt } from '../hub/hub-session.ts';
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
import { TurnOutcomes } from './queue/turn-outcomes.ts';
import type { AgentRun } from './run/agent-run.ts';
import type { OnDemandAgent } from './run/on-demand-agent.ts';
import { toRpcError } from './to-rpc-error.ts';

/** What the turns of a session need. */
export interface SessionTurnsOptions {
  readonly onDemand: OnDemandAgent;
  readonly limits: QueueLimits;
  /** What waited when the program before ended. */
  readonly kept: readonly QueuedPrompt[];
  /** Those that work for the session; `end` ends its delegates. */
  readonly subagents: { readonly areWorking: boolean; end(options?: CancelOptions): Promise<void> };
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
  /** A question that is rejected for that reason cancels the turn. @default false */
  readonly failsAtQuestion?: boolean;
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
  /** A prompt that was sent again, by its id, has several. */
  readonly #waiters = new Map<string, readonly Waiter[]>();
  /** Of the prompts that wait or run, by their ids. Those that were kept have none. */
  readonly #senders = new Map<string, PromptSender>();
  readonly #outcomes = new TurnOutcomes((promptId) => {
    if (promptId === this.#sent) return;
    // The owner before was killed before it took it out of the queue.
    this.#takeOut(promptId);
    this.#settleLogged(promptId);
  });
  /** The prompt that was sent to the agent last. */
  #sent: string | undefined;
  /** The ids of queued prompts that are being sent into the turn. */
  readonly #sending = new Map<string, 'waiting' | 'sent'>();
  #queue: PromptQueue;
  /** The prompt of the turn that runs, or is about to. */
  #turn: QueuedPrompt | undefined;
  #isCancelled = false;
  #isLeft = false;

  constructor(options: SessionTurnsOptions) {
    this.#options = options;
    // The client that waited for it has disconnected, and may not need it any more.
    this.#queue = heldQueue({ ...emptyQueue, prompts: options.kept });
  }

  get queue(): PromptQueue {
    return this.#queue;
  }

  /** Whether a turn runs, or is about to. */
  get isBusy(): boolean {
    return this.#turn !== undefined;
  }

  /** Whether a sender waits for the end of a turn. */
  get isAwaited(): boolean {
    return this.#waiters.size > 0;
  }

  /** Whether the turn that runs, or is about to, was cancelled. */
  get isCancelled(): boolean {
    return this.#turn !== undefined && this.#isCancelled;
  }

  /** Whether the turn that runs, or is about to, is for a client that cannot answer. */
  get isUnattended(): boolean {
    return this.#turn !== undefined && this.#senders.get(this.#turn.id)?.isUnattended === true;
  }

  /** Takes an event of the agent before what follows from it is sent: a question that no user could answer may end the turn. */
  take(event: HostEvent): void {
    // At the same moment as the turn, which may take its grace to end.
    if (event.type === 'turn-timeout') void this.#options.subagents.end({ isForLimit: true });
    if ((event.type !== 'permission' && event.type !== 'elicitation') || event.by !== 'nobody') return;
    const isFailing = this.#turn !== undefined && this.#senders.get(this.#turn.id)?.failsAtQuestion === true;
    if (isFailing) this.cancel().catch(this.#options.onFault);
  }

  /** Sends a prompt when those before it have been answered. @throws {RpcError} The queue is full. */
  send(blocks: readonly ContentBlock[], sender: PromptSender): SentPrompt {
    if (this.#isLeft) return this.#wait(sender.id ?? randomUUID(), sender);
    if (sender.id !== undefined && this.#outcomes.get(sender.id) !== undefined) {
      const sent = this.#wait(sender.id, sender);
      this.#settleLogged(sender.id);
      return sent;
    }
    const { queue, prompt } = withPrompt(this.#queue, blocks, this.#options.limits, sender.id);
    const sent = this.#wait(prompt.id, sender);
    this.#setQueue(queue);
    this.#sendNext();
    return sent;
  }

  /** A prompt that the owner before left in the queue, for its sender; undefined where it neither waits nor runs. */
  rejoin(id: string, sender: PromptSender): SentPrompt | undefined {
    const isThere = this.#turn?.id === id || this.#queue.prompts.some((prompt) => prompt.id === id);
    return isThere ? this.#wait(id, sender) : undefined;
  }

  #wait(id: string, sender: PromptSender): SentPrompt {
    if (!this.#senders.has(id)) this.#senders.set(id, sender);
    const ended = new Promise<PromptResult>((resolve, reject) => {
      this.#waiters.set(id, [...(this.#waiters.get(id) ?? []), { resolve, reject }]);
    });
    const answered = ended.then(toResponse, (error: unknown) => {
      throw toRpcError(error) ?? new RpcError(rpcCodes.internalError, 'the turn failed here');
    });
    // A client wants one of them, and hears of the failure there.
    answered.catch(() => undefined);
    if (this.#isLeft) this.#fail(id, handedOver());
    return { id, ended, answered };
  }

  /** Sends text into the turn that runs, where its agent takes it; else it is a prompt like any other. @throws {RpcError} The queue is full. */
  async steer(blocks: readonly ContentBlock[], sender: PromptSender): Promise<SteeringOutcome> {
    const { run } = this.#options.onDemand;
    const { id = randomUUID(), from } = sender;
    const isRunning = this.#turn !== undefined && !this.#isCancelled && run !== undefined;
    const options = { promptId: id, ...(from !== undefined && { from }) };
    const outcome = isRunning ? await run.session.steer(blocks, options) : 'queued';
    if (outcome === 'queued') this.send(blocks, { ...sender, id });
    return outcome;
  }

  /** The sender of a prompt wants no answer any more: its turn is cancelled; a queued prompt stays, without a sender that waits. */
  async withdraw(id: string): Promise<void> {
    if (this.#turn?.id === id) await this.cancel();
    else this.#answer(id, { stopReason: 'cancelled' });
  }

  /** Cancels the running turn and its sub-agents. Queued prompts are held, including those that should have been sent immediately. */
  async cancel(options?: CancelOptions): Promise<void> {
    const { run } = this.#options.onDemand;
    if (this.#turn !== undefined) {
      this.#setQueue(withoutUrgency(this.#queue));
      await this.#endTurn(options);
    } else if (this.#options.subagents.areWorking || run?.session.mayCancelSubagents === true) {
      await Promise.all([run?.session.cancel(options), this.#options.subagents.end(options)]);
    }
  }

  async #endTurn(options?: CancelOptions): Promise<void> {
    const { onDemand, subagents } = this.#options;
    this.#isCancelled = true;
    if (onDemand.run === undefined) onDemand.abandonStart();
    else await Promise.all([onDemand.run.session.cancel(options), subagents.end(options)]);
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
      const { run } = this.#options.onDemand;
      const sent = run?.session.takesSteering === true ? this.#steerQueued(change.id, run) : this.#endTurn();
      sent.catch(this.#options.onFault);
    }
    this.#sendNext();
  }

  /** A queued prompt joins the turn that runs; where the agent does not take it, it goes next. */
  async #steerQueued(id: string, run: AgentRun): Promise<void> {
    const prompt = this.#queue.prompts.find((queued) => queued.id === id);
    if (prompt === undefined || this.#sending.has(id)) return;
    const from = this.#senders.get(id)?.from;
    this.#sending.set(id, 'waiting');
    const outcome = await run.session
      .steer(prompt.blocks, {
        promptId: id,
        ...(from !== undefined && { from }),
        // Until it is stored that it is sent, a crash leaves it in the queue; it may have changed or had its turn meanwhile.
        isWanted: () => {
          if (!this.#queue.prompts.includes(prompt)) return false;
          this.#sending.set(id, 'sent');
          return this.#takeOut(id);
        },
      })
      .catch((error: unknown) => {
        this.#sending.delete(id);
        throw error;
      });
    const wasSent = this.#sending.get(id) === 'sent';
    this.#sending.delete(id);
    if (outcome === 'queued') {
      if (!wasSent) return;
      this.#setQueue({ ...this.#queue, prompts: [prompt, ...this.#queue.prompts], urgent: id });
      this.#sendNext();
      return;
    }
    this.#senders.delete(id);
    this.#answer(id, { stopReason: 'end_turn' });
  }

  /** An event of the log, from its beginning on: a prompt that has a turn there, or was sent into one, is not sent again. */
  takeLogged(event: LoggedEvent): void {
    this.#outcomes.take(event);
  }

  /** Answers those who wait for a prompt that has had its turn. */
  #settleLogged(promptId: string): void {
    const outcome = this.#outcomes.get(promptId);
    if (outcome === undefined || outcome === 'running') return;
    this.#senders.delete(promptId);
    if (outcome === 'unknown') this.#fail(promptId, new RpcError(rpcCodes.internalError, outcomeUnknown));
    else this.#answer(promptId, outcome);
  }

  /** Takes a prompt out of the queue; gives whether it was there. */
  #takeOut(promptId: string): boolean {
    const { prompts, isHeld, urgent } = this.#queue;
    const others = prompts.filter(({ id }) => id !== promptId);
    if (others.length === prompts.length) return false;
    const next = urgent === undefined || urgent === promptId ? {} : { urgent };
    this.#setQueue({ prompts: others, isHeld: isHeld && others.length > 0, ...next });
    return true;
  }

  /** Nothing is sent any more, until the user resumes the queue. */
  hold(): void {
    this.#setQueue(heldQueue(this.#queue));
  }

  /** Another owner has the session: senders that wait, and those that come, are rejected with `handed-over`, and ask it. */
  leave(): void {
    this.#isLeft = true;
    for (const id of this.#waiters.keys()) this.#fail(id, handedOver());
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
      if (response === 'logged') {
        end(true);
        this.#settleLogged(id);
        return;
      }
      if (response.stopReason === 'cancelled') await this.#options.subagents.end();
      end(response.stopReason !== 'cancelled');
      this.#answer(id, response);
    } catch (error) {
      await this.#options.subagents.end();
      end(false);
      this.#fail(id, error);
    }
  }

  async #turnOf(promptId: string, blocks: readonly ContentBlock[]): Promise<PromptResult | 'logged'> {
    const { onDemand } = this.#options;
    try {
      const run = await onDemand.take();
      if (this.#isCancelled) return { stopReason: 'cancelled' };
      if (this.#outcomes.get(promptId) !== undefined) return 'logged';
      const { from, limits, meta, trace, prepare } = this.#senders.get(promptId) ?? {};
      const prompt = prepare === undefined ? blocks : await prepare(run);
      if (this.isCancelled) return { stopReason: 'cancelled' };
      this.#sent = promptId;
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
    for (const { resolve } of this.#waiters.get(id) ?? []) resolve(result);
    this.#waiters.delete(id);
  }

  #fail(id: string, error: unknown): void {
    if (toRpcError(error) === undefined) this.#options.onFault(error);
    for (const { reject } of this.#waiters.get(id) ?? []) reject(error);
    this.#waiters.delete(id);
  }

  #setQueue(queue: PromptQueue): void {
    const { prompts, isHeld } = this.#queue;
    this.#queue = queue;
    if (queue.isHeld !== isHeld || queue.prompts !== prompts) this.#options.onQueue();
  }
}

function handedOver(): HostError {
  return new HostError('handed-over', 'session/prompt: another machine runs the session now');
}

const outcomeUnknown =
  'session/prompt: the prompt has had its turn, which failed or ended with its process; the outcome of its last step is unknown';

/** What is not a stop reason of the protocol is an end like any other; the events say what the agent called it. */
function toResponse({ stopReason, response }: PromptResult): PromptResponse {
  const { raw: _unread, ...answered }: Partial<PromptResponse> = response ?? {};
  return { ...answered, stopReason: stopReason === 'unknown' ? 'end_turn' : stopReason };
}
