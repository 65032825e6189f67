import { mayCancelAfter, type SubagentSessionUpdate } from '@parley/acp';
import type { Files } from '@parley/workspace';
import type { SubagentName } from '../../event/subagent-name.ts';
import { createGrants, type Grants } from '../../permission/grants.ts';
import { createToolCalls, type ToolCalls } from '../../permission/request/tool-calls.ts';
import { ClientTerminals } from '../../services/terminal/client-terminals.ts';
import { createTerminals, type Terminals } from '../../services/terminal/terminals.ts';
import type { SessionScope } from '../session-scope.ts';
import type { limitReached } from '../turn/turn-time.ts';

/** What all sub-agents of a session have in common. */
export interface SubagentOptions {
  /** The session it works for; it has access to the same files and commands. */
  readonly session: SessionScope;
  /** Aborted when the session's sub-agents are cancelled, or the session ends. */
  readonly stopped: () => AbortSignal;
  /** Sends `session/cancel`. */
  readonly cancelAtAgent: (sessionId: string) => void;
}

/** A child session that the agent announced, as its agent's requests reach the client through it. */
export class Subagent implements SessionScope {
  readonly name: string;
  /** The sub-agent that it works for. @default the session itself */
  readonly parent: Subagent | undefined;
  readonly terminals: Terminals = createTerminals();
  readonly clientTerminals: ClientTerminals = new ClientTerminals();
  readonly toolCalls: ToolCalls = createToolCalls();
  readonly grants: Grants = createGrants();
  readonly #options: SubagentOptions;
  #title: string | undefined;
  #isWorking = false;
  #isIdle = false;
  #mayCancel = false;
  #isCancelRequested = false;
  /** Aborted when it is cancelled, or one that it works for is. */
  #cancelling = new AbortController();

  constructor(sessionId: string, parent: Subagent | undefined, options: SubagentOptions) {
    this.name = sessionId;
    this.parent = parent;
    this.#options = options;
  }

  get id(): string {
    return this.#options.session.id;
  }

  /** The files of the parent session. Folders that the sub-agent announces do not extend them. */
  get files(): Files {
    return this.#options.session.files;
  }

  get subagent(): SubagentName {
    const title = this.#title;
    return { sessionId: this.name, ...(title !== undefined && { title }) };
  }

  get questionSignal(): AbortSignal {
    const { parent } = this;
    return AbortSignal.any([
      this.#cancelling.signal,
      this.#options.stopped(),
      // Cancelling a sub-agent includes those that it announces afterwards.
      ...(parent === undefined ? [] : [parent.questionSignal]),
    ]);
  }

  /** Whether it works, or waits for a user, as it reported last. */
  get isWorking(): boolean {
    return this.#isWorking;
  }

  /** Whether it reported last that it has nothing to do. Without a known state it may work. */
  get isIdle(): boolean {
    return this.#isIdle;
  }

  /** Whether its newest capabilities let the client cancel it. */
  get mayCancel(): boolean {
    return this.#mayCancel;
  }

  /** Whether the agent was asked to cancel it and has not reported new work since. */
  get isCancelRequested(): boolean {
    return this.#isCancelRequested;
  }

  inOrder<T>(look: () => Promise<T>): Promise<T> {
    return this.#options.session.inOrder(look);
  }

  heard(): void {
    this.#options.session.heard();
  }

  beginQuestion(): () => void {
    return this.#options.session.beginQuestion();
  }

  /**
   * Applies an update from its parent.
   *
   * @param isHistory Whether the update is replayed and says nothing about the current state.
   */
  take(update: SubagentSessionUpdate, isHistory: boolean): void {
    const { title, state } = update;
    if (title !== undefined) this.#title = title ?? undefined;
    this.#mayCancel = mayCancelAfter(this.#mayCancel, update, isHistory);
    if (state === undefined) return;
    const wasWorking = this.#isWorking;
    this.#isIdle = state?.state === 'idle';
    this.#isWorking = !isHistory && (state?.state === 'running' || state?.state === 'requires_action');
    if (!this.#isWorking) this.grants.endTurn();
    // It was given other work since it was cancelled.
    if (this.#isWorking && !wasWorking) this.renew();
  }

  /** Marks its state as history. */
  becomePast(): void {
    this.#isWorking = false;
    this.#mayCancel = false;
  }

  /** Asks the agent to cancel its work. */
  requestCancel(reason?: typeof limitReached): void {
    this.#isCancelRequested = true;
    // Before the notification, which ends open requests with another reason. They are answered after it.
    this.cancelQuestions(reason);
    this.#options.cancelAtAgent(this.name);
  }

  /** Answers its open questions, and later ones, `cancelled`. */
  cancelQuestions(reason?: typeof limitReached): void {
    this.#cancelling.abort(reason);
  }

  /** Stops answering its requests with `cancelled`. */
  renew(): void {
    this.#isCancelRequested = false;
    if (this.#cancelling.signal.aborted) this.#cancelling = new AbortController();
  }
}
