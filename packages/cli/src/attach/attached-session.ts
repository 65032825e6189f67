import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ContentBlock } from '@parley/acp';
import type { CancelOptions, PromptResult } from '@parley/host';
import { hubMethods } from '@parley/host/hub';
import type { SettledQuestion } from '@parley/host/hub';
import { noFacts, reduceFacts, runningTurn, type SessionFacts, type TurnState } from '@parley/host/state';
import { RpcError, WireError } from '@parley/wire';
import { CliError } from '../cli-error.ts';
import { FailedTurn } from '../conversation/outcome.ts';
import { HubClient, type HubClientOptions, type HubEvent } from '../hub/hub-client.ts';

/** What happens in an attached session. */
export interface AttachedListener {
  /** Each event once, in order, with what was known before it and is known after it. */
  event(event: HubEvent, facts: SessionFacts, before: SessionFacts): Promise<void> | undefined;
  /** Sessions or questions of the hub have changed. */
  onChanges?(settled: readonly SettledQuestion[]): void;
  /** A question of the session became open, or none is open any more, whichever client may answer it. */
  onAsking?(isAsking: boolean): void;
}

/** How a prompt is sent. */
export interface PromptHere {
  /** Identifies it in the events of its turn. @default one that is made */
  readonly id?: string;
  /** The user cannot be asked here. */
  readonly isUnattended: boolean;
  /** `fail`: a question that no client can answer cancels the turn. @default it is rejected */
  readonly onAsk?: 'fail';
}

/** A session of a hub, as one of its clients has it. */
export class AttachedSession implements AsyncDisposable {
  readonly #client: HubClient;
  #key = '';
  #facts: SessionFacts = noFacts;
  #isCaughtUp = false;
  #isAsking = false;
  #wasElsewhere = false;
  readonly #sent = new Map<string, SentPrompt>();
  readonly #waiting = new Set<() => void>();

  private constructor(client: HubClient) {
    this.#client = client;
  }

  /** Reaches the hub. @throws {CliError} */
  static async open(
    options: Pick<HubClientOptions, 'find' | 'answers' | 'signal' | 'clock'>,
    listener: AttachedListener,
  ): Promise<AttachedSession> {
    const opened: { session?: AttachedSession } = {};
    const client = await HubClient.open({
      ...options,
      listener: {
        event: (event) => {
          const { session } = opened;
          return session === undefined ? undefined : session.#take(event, listener);
        },
        caughtUp: () => {
          const { session } = opened;
          if (session === undefined) return;
          session.#isCaughtUp = true;
          session.#lookForQuestions(listener);
          session.#look();
        },
        onChanges: (settled) => {
          const { session } = opened;
          if (session === undefined) return;
          session.#lookForQuestions(listener);
          listener.onChanges?.(settled);
          session.#look();
        },
      },
    });
    opened.session = new AttachedSession(client);
    return opened.session;
  }

  get client(): HubClient {
    return this.#client;
  }

  /** Its id on the hub. */
  get key(): string {
    return this.#key;
  }

  get facts(): SessionFacts {
    return this.#facts;
  }

  /** Follows a session; settles when all events that are there have come. */
  async attach(key: string): Promise<void> {
    this.#key = key;
    this.#wasElsewhere = this.#client.session(key)?.state === 'elsewhere';
    await this.#client.follow(key);
    await this.#until(() => this.#isCaughtUp);
  }

  /** Whether a prompt was sent from here. */
  isOwn(facts: SessionFacts): boolean {
    const { promptId } = runningTurn(facts) ?? {};
    return promptId !== undefined && this.#sent.has(promptId);
  }

  /** Settles when the session was closed or deleted. */
  closed(): Promise<void> {
    return this.#until(() => {
      const shown = this.#client.session(this.#key);
      if (shown === undefined) return true;
      const isOpen = shown.state !== 'kept' && shown.state !== 'failed';
      return (
        !isOpen &&
        (this.#facts.agentLife.session === 'closed' || (this.#wasElsewhere && shown.state === 'kept'))
      );
    });
  }

  /** Sends a prompt. Settles when its turn has ended and its events have come. */
  async prompt(
    blocks: readonly ContentBlock[],
    { id = randomUUID(), ...how }: PromptHere,
  ): Promise<PromptResult> {
    const sent = new SentPrompt(id);
    this.#sent.set(id, sent);
    try {
      const answered = this.#send(sent, blocks, how);
      return await Promise.race([sent.ended, answered, this.#client.lost]);
    } finally {
      this.#sent.delete(id);
    }
  }

  /** Stops the turn that runs, and what was sent from here and waits. */
  async cancel(options: CancelOptions = {}): Promise<void> {
    const sessionId = this.#key;
    for (const sent of this.#sent.values()) {
      const { id, hasBegun } = sent;
      if (hasBegun) continue;
      try {
        const removed = this.#client.request(hubMethods.queue, { sessionId, change: { kind: 'remove', id } });
        // No machine has the session, and both requests wait for one.
        const withdrawn = delay(withdrawMs, undefined, { ref: false }).then(() => sent.withdraw());
        await Promise.race([removed, withdrawn]);
        return;
      } catch {
        // It is no longer in the queue: its turn is about to begin.
      }
    }
    await this.#client.request(hubMethods.cancel, { sessionId, ...options });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client[Symbol.asyncDispose]();
  }

  async #send(
    sent: SentPrompt,
    blocks: readonly ContentBlock[],
    { isUnattended, onAsk }: PromptHere,
  ): Promise<PromptResult> {
    const params = {
      sessionId: this.#key,
      prompt: blocks,
      _meta: {
        'parley/promptId': sent.id,
        'parley/passesHeld': true,
        ...(isUnattended && { 'parley/unattended': true }),
        ...(onAsk !== undefined && { 'parley/onAsk': onAsk }),
      },
    };
    try {
      await this.#client.request('session/prompt', params, sent.withdrawn);
    } catch (error) {
      if (sent.withdrawn.aborted) return { stopReason: 'cancelled' };
      if (error instanceof WireError) return this.#afterLoss(sent);
      if (!(error instanceof RpcError)) throw error;
      // Where a turn had begun, its last event says more.
      await this.#catchUp();
      return sent.hasBegun ? sent.ended : Promise.reject(error);
    }
    await this.#catchUp();
    return sent.hasBegun ? sent.ended : { stopReason: 'cancelled' };
  }

  /** The answer will not come any more: events show the turn, if the hub still has it. */
  async #afterLoss(sent: SentPrompt): Promise<PromptResult> {
    await this.#catchUp();
    for (;;) {
      const shown = this.#client.session(this.#key);
      const isQueued = shown?.queue.some(({ id }) => id === sent.id) === true;
      const isIdle = shown === undefined || ['kept', 'failed', 'ready', 'elsewhere'].includes(shown.state);
      if (isQueued && shown.isQueueHeld === true) {
        throw new CliError('hub-lost', 'the hub was restarted; the prompt waits in the queue of the session');
      }
      if (isIdle && !isQueued) {
        await this.#catchUp();
        if (sent.hasEnded) return sent.ended;
        throw sent.hasBegun
          ? new FailedTurn({ code: 'server-killed', message: 'the hub ended while the turn ran' })
          : new CliError(
              'hub-lost',
              'the connection to the hub was lost before the prompt arrived; send it again',
            );
      }
      await Promise.race([sent.ended, delay(lookAgainMs, undefined, { ref: false })]);
      if (sent.hasEnded) return sent.ended;
    }
  }

  async #catchUp(): Promise<void> {
    this.#isCaughtUp = false;
    await this.#client.catchUp();
    await this.#until(() => this.#isCaughtUp);
  }

  async #take(event: HubEvent, listener: AttachedListener): Promise<void> {
    const before = this.#facts;
    this.#facts = reduceFacts(before, event);
    if (event.type === 'turn-start' && event.promptId !== undefined) this.#sent.get(event.promptId)?.begin();
    this.#lookForQuestions(listener);
    await listener.event(event, this.#facts, before);
    this.#settle(event, runningTurn(before));
    this.#look();
  }

  #settle(event: HubEvent, turn: TurnState | undefined): void {
    const sent = turn?.promptId === undefined ? undefined : this.#sent.get(turn.promptId);
    if (sent === undefined) return;
    if (event.type === 'turn-end') {
      if ('error' in event) sent.fail(new FailedTurn(event.error));
      else sent.end(event);
    } else if (event.type === 'interruption') {
      sent.fail(new FailedTurn(killedTurn));
    }
  }

  /** The events name questions that are for other clients too, the hub those that have no event. */
  #lookForQuestions(listener: AttachedListener): void {
    const isAsking =
      this.#facts.questions.length > 0 || this.#client.questions.some(({ key }) => key === this.#key);
    if (isAsking === this.#isAsking) return;
    this.#isAsking = isAsking;
    listener.onAsking?.(isAsking);
  }

  #look(): void {
    for (const look of this.#waiting) look();
  }

  #until(isSo: () => boolean): Promise<void> {
    if (isSo()) return Promise.resolve();
    const come = new Promise<void>((resolve) => {
      const look = (): void => {
        if (!isSo()) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
    });
    return Promise.race([come, this.#client.lost]);
  }
}

/** What the agent of a session calls itself, else what it is called on the hub. */
export function agentNameOf({ agent }: SessionFacts): string {
  return agent?.info?.name ?? agent?.name ?? '';
}

/** How a turn ended that a killed server left behind. */
export const killedTurn = { code: 'server-killed', message: 'the hub ended while the turn ran' } as const;

/** How long the removal of a prompt that waits may take, until the prompt is withdrawn. */
const withdrawMs = 2000;

/** Interval of checks whether the hub still has a prompt whose response was lost. */
const lookAgainMs = 1000;

/** A prompt on its way. */
class SentPrompt {
  readonly id: string;
  readonly ended: Promise<PromptResult>;
  hasBegun = false;
  hasEnded = false;
  readonly #withdrawn = new AbortController();
  #resolve: (result: PromptResult) => void = () => {};
  #reject: (error: Error) => void = () => {};

  constructor(id: string) {
    this.id = id;
    this.ended = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // The caller that waits for the answer is notified later.
    this.ended.catch(() => undefined);
  }

  /** Aborts when it is not wanted any more. */
  get withdrawn(): AbortSignal {
    return this.#withdrawn.signal;
  }

  withdraw(): void {
    if (!this.hasBegun) this.#withdrawn.abort();
  }

  begin(): void {
    this.hasBegun = true;
  }

  end(result: PromptResult): void {
    this.hasEnded = true;
    this.#resolve(result);
  }

  fail(error: Error): void {
    this.hasEnded = true;
    this.#reject(error);
  }
}
