import type { SubagentSessionUpdate } from '@parley/acp';
import { HostError } from '../../host-error.ts';
import type { SessionScope } from '../session-scope.ts';
import type { limitReached } from '../turn/turn-time.ts';
import { Subagent } from './subagent.ts';

/** What the sub-agents of a session need. */
export interface AgentSessionSubagentsOptions {
  readonly session: SessionScope;
  /** Sends `session/cancel`. */
  readonly cancelAtAgent: (sessionId: string) => void;
}

/** The sub-agents of a session at any depth. Their number is bounded where announcements are accepted. */
export class AgentSessionSubagents {
  readonly #options: AgentSessionSubagentsOptions;
  readonly #subagents = new Map<string, Subagent>();
  readonly #waiting = new Set<() => void>();
  #stopping = new AbortController();
  #isReleased = false;

  constructor(options: AgentSessionSubagentsOptions) {
    this.#options = options;
  }

  get(sessionId: string): Subagent | undefined {
    return this.#subagents.get(sessionId);
  }

  /** Whether any sub-agent last reported that it is working. */
  get areWorking(): boolean {
    for (const { isWorking } of this.#subagents.values()) if (isWorking) return true;
    return false;
  }

  /** Whether any that is not idle can be cancelled and has not been: whether it works may be unknown. */
  get mayCancel(): boolean {
    for (const subagent of this.#subagents.values()) {
      if (isToCancel(subagent) && !subagent.isIdle) return true;
    }
    return false;
  }

  /**
   * Handles an announcement of a sub-agent, or a change to one.
   *
   * @param parentId The session that announced it: a sub-agent, or the session itself.
   */
  take(parentId: string, update: SubagentSessionUpdate, isHistory: boolean): void {
    if (this.#isReleased) return;
    const { sessionId } = update;
    let subagent = this.#subagents.get(sessionId);
    if (subagent === undefined) {
      const parent = this.#subagents.get(parentId);
      subagent = new Subagent(sessionId, parent, {
        ...this.#options,
        stopped: () => this.#stopping.signal,
      });
      this.#subagents.set(sessionId, subagent);
    }
    subagent.take(update, isHistory);
    this.#settleWaiting();
  }

  /** Settles when none works any more, the session has ended, or the signal is aborted. Never rejects. */
  settled(signal?: AbortSignal): Promise<void> {
    if (!this.areWorking || signal?.aborted === true) return Promise.resolve();
    return new Promise((resolve) => {
      const settle = (): void => {
        this.#waiting.delete(settle);
        signal?.removeEventListener('abort', settle);
        resolve();
      };
      this.#waiting.add(settle);
      signal?.addEventListener('abort', settle, { once: true });
    });
  }

  /** Cancels all sub-agents that can be cancelled. Until the next prompt, their requests are answered `cancelled`, for that reason. */
  cancel(reason?: typeof limitReached): void {
    for (const subagent of this.#subagents.values()) {
      if (isToCancel(subagent)) subagent.requestCancel(reason);
    }
    this.#stopping.abort(reason);
  }

  /** Cancels the work of one, and of those below it. @throws {HostError} `not-supported` */
  cancelOne(sessionId: string): void {
    const subagent = this.#subagents.get(sessionId);
    if (subagent?.mayCancel !== true) {
      const message = `session/cancel: the agent does not allow cancelling the sub-agent ${JSON.stringify(sessionId)}`;
      throw new HostError('not-supported', message);
    }
    subagent.requestCancel();
    const cancelled = new Set([subagent]);
    // A sub-agent is announced after the one that it works for.
    for (const other of this.#subagents.values()) {
      if (other.parent === undefined || !cancelled.has(other.parent)) continue;
      cancelled.add(other);
      other.cancelQuestions();
    }
  }

  /** A prompt is about to be sent: requests of sub-agents are no longer answered `cancelled`. */
  renew(): void {
    if (this.#isReleased) return;
    if (this.#stopping.signal.aborted) this.#stopping = new AbortController();
    for (const subagent of this.#subagents.values()) subagent.renew();
  }

  /** Marks all known sub-agents as history, because the session was opened again. */
  becomePast(): void {
    for (const subagent of this.#subagents.values()) subagent.becomePast();
    this.#settleWaiting();
  }

  /** Closes the resources of sub-agents on this side. */
  async release(): Promise<void> {
    this.#isReleased = true;
    this.#stopping.abort();
    this.becomePast();
    await Promise.all([...this.#subagents.values()].map(({ terminals }) => terminals.endAll()));
  }

  #settleWaiting(): void {
    if (this.#waiting.size === 0 || this.areWorking) return;
    for (const settle of this.#waiting) settle();
  }
}

function isToCancel({ mayCancel, isCancelRequested }: Subagent): boolean {
  return mayCancel && !isCancelRequested;
}
