import { randomUUID } from 'node:crypto';
import type { CancelOptions } from '../agent-session/agent-session.ts';
import type { HostEvent } from '../event/host-event.ts';
import type { SessionWorktree } from '../event/session-event.ts';
import { aborted, untilAborted } from '../until-aborted.ts';
import { delegateIdle, delegatePrompt, delegateUpdate, eventOfDelegate } from './delegate-events.ts';
import { setDelegateMode, type ParentMode } from './delegate-mode.ts';
import { FinalMessage } from './final-message.ts';
import type { DelegateSession, OpenedDelegate, TeamAgent } from './team.ts';

/** Time that a delegate's agent has to end a cancelled turn. */
const cancelGraceMs = 2000;

/** What a delegate needs of its parent. */
export interface DelegateOptions {
  /** The key of its session. */
  readonly id: string;
  readonly agent: TeamAgent;
  /** Creates its session. */
  readonly open: (onEvent: (event: HostEvent) => void | Promise<void>) => Promise<OpenedDelegate>;
  /** What the parent's agent calls the parent. */
  readonly parentSessionId: () => string;
  readonly parentMode: () => ParentMode;
  /** Whether questions are rejected, because no client of the parent can answer them. */
  readonly isUnattended: () => boolean;
  /** Appends an event to those of the parent. */
  readonly report: (event: HostEvent) => void | Promise<void>;
  /** Called when its work begins or ends. */
  readonly onWork: () => void;
}

/** What the model that delegates reads of a delegate. */
export interface DelegateStatus {
  readonly id: string;
  readonly agent: string;
  /** `idle`: its last turn has ended; `failed`: it has ended with an error; `ended`: it gets no more prompts. */
  readonly state: 'running' | 'requires_action' | 'idle' | 'failed' | 'ended';
  readonly stopReason?: string;
  readonly error?: string;
  /** The last message of the turn. */
  readonly message?: string;
  readonly worktree?: Pick<SessionWorktree, 'name' | 'path' | 'branch'>;
}

/** How the last turn ended. */
type Outcome = Pick<DelegateStatus, 'stopReason' | 'error'> & { readonly usage?: unknown };

/** An agent that works for another session, in a session of its own. */
export class Delegate {
  readonly id: string;
  readonly agent: string;
  readonly #options: DelegateOptions;
  readonly #message = new FinalMessage();
  readonly #waiting = new Set<() => void>();
  #opened: Promise<OpenedDelegate> | undefined;
  #session: DelegateSession | undefined;
  #worktree: SessionWorktree | undefined;
  /** Prompts whose turns have not ended. */
  #prompts = 0;
  #questions = 0;
  #outcome: Outcome = {};
  #isEnded = false;
  /** Aborted when the prompts so far are cancelled: work that continues is not awaited. */
  #cancelling = new AbortController();
  #ending: Promise<void> | undefined;

  constructor(options: DelegateOptions) {
    this.id = options.id;
    this.agent = options.agent.name;
    this.#options = options;
  }

  get isWorking(): boolean {
    return this.#prompts > 0;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Its session, once created. */
  get session(): DelegateSession | undefined {
    return this.#session;
  }

  get status(): DelegateStatus {
    const { id, agent } = this;
    const { stopReason, error } = this.#outcome;
    const message = this.#message.text;
    const { name, path, branch } = this.#worktree ?? {};
    const hasWorktree = name !== undefined && path !== undefined && branch !== undefined;
    return {
      id,
      agent,
      state: this.#state,
      ...(!this.isWorking && stopReason !== undefined && { stopReason }),
      ...(!this.isWorking && error !== undefined && { error }),
      ...(message !== '' && !this.isWorking && { message }),
      ...(hasWorktree && { worktree: { name, path, branch } }),
    };
  }

  /** Sends a prompt when those before it have been answered. Failures are part of the status. */
  prompt(text: string): void {
    const isFirst = this.#opened === undefined;
    this.#prompts += 1;
    this.#options.onWork();
    if (isFirst) {
      const { agent } = this.#options;
      this.#patch({
        title: agent.title ?? agent.name,
        description: firstLine(text),
        capabilities: { cancel: {} },
        state: { state: 'running' },
      });
    } else if (this.#prompts === 1) {
      this.#patch({ capabilities: { cancel: {} }, state: { state: 'running' } });
    }
    void this.#options.report(delegatePrompt(this.#mark, randomUUID(), text));
    void this.#run(text).then((outcome) => {
      this.#outcome = outcome;
      this.#prompts -= 1;
      if (!this.isWorking) this.#becomeIdle();
    });
  }

  /** Settles when it does not work any more, the time has passed, or the signal is aborted. Never rejects. */
  async settled(atMostMs: number, signal?: AbortSignal): Promise<void> {
    if (!this.isWorking || atMostMs === 0 || signal?.aborted === true) return;
    await new Promise<void>((resolve) => {
      const settle = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(settle);
        signal?.removeEventListener('abort', settle);
        resolve();
      };
      // An unlimited wait keeps no process alive: what it waits for does.
      const timer = Number.isFinite(atMostMs) ? setTimeout(settle, atMostMs) : undefined;
      this.#waiting.add(settle);
      signal?.addEventListener('abort', settle, { once: true });
    });
  }

  /** Cancels its turn and the queued prompts. Resolves when it is idle. Never rejects. */
  async cancel(): Promise<void> {
    const cancelling = this.#cancelling;
    this.#cancelling = new AbortController();
    const turns = this.#session?.turns;
    for (const { id } of turns?.queue.prompts ?? []) turns?.change({ kind: 'remove', id });
    await turns?.cancel({ graceMs: cancelGraceMs }).catch(() => undefined);
    cancelling.abort();
    await this.settled(cancelGraceMs);
  }

  /** Ends its work and its agent. It gets no more prompts. Never rejects. */
  end({ isForLimit }: Pick<CancelOptions, 'isForLimit'> = {}): Promise<void> {
    this.#isEnded = true;
    this.#ending ??= this.#end({ graceMs: cancelGraceMs, ...(isForLimit === true && { isForLimit }) });
    return this.#ending;
  }

  async #end(options: CancelOptions): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined);
    if (opened === undefined) return;
    await Promise.allSettled([opened.session.shutDown(options)]);
    this.#cancelling.abort();
    await Promise.allSettled([opened[Symbol.asyncDispose]()]);
    await this.settled(cancelGraceMs);
  }

  get #mark(): { readonly sessionId: string; readonly subagent: string } {
    return { sessionId: this.#options.parentSessionId(), subagent: this.id };
  }

  get #state(): DelegateStatus['state'] {
    if (this.isWorking) return this.#questions > 0 ? 'requires_action' : 'running';
    if (this.#outcome.error !== undefined) return 'failed';
    return this.#isEnded ? 'ended' : 'idle';
  }

  async #run(text: string): Promise<Outcome> {
    const { open, agent, parentMode, isUnattended } = this.#options;
    const { signal } = this.#cancelling;
    try {
      this.#opened ??= open((event) => this.#take(event));
      const opened = await untilAborted(this.#opened, signal);
      if (opened === aborted) return { stopReason: 'cancelled' };
      const { session, worktree } = opened;
      this.#session = session;
      this.#worktree = worktree;
      if (this.#isEnded) return { stopReason: 'cancelled' };
      const blocks = [{ type: 'text', text } as const];
      const { ended } = session.turns.send(blocks, {
        isUnattended: isUnattended(),
        prepare: async (run) => {
          await setDelegateMode(run.session, { ...agent, agent: agent.name, signal }, parentMode());
          this.#message.clear();
          return blocks;
        },
      });
      const { stopReason, rawStopReason, usage } = await ended;
      // Sub-agents of its own agent may continue after its turn has ended.
      await session.subagents.settled({ signal });
      return { stopReason: rawStopReason ?? stopReason, ...(usage !== undefined && { usage }) };
    } catch (error) {
      if (this.#isEnded || signal.aborted) return { stopReason: 'cancelled' };
      return { error: error instanceof Error ? error.message : String(error) };
    }
  }

  #take(event: HostEvent): void | Promise<void> {
    switch (event.type) {
      case 'update':
        if (event.subagent === undefined && !event.replay) this.#message.take(event.view);
        break;
      case 'permission-request':
      case 'elicitation-request':
        this.#ask(1);
        break;
      case 'permission':
      case 'elicitation':
        this.#ask(-1);
        break;
      default:
        break;
    }
    const reported = eventOfDelegate(event, this.#mark);
    return reported === undefined ? undefined : this.#options.report(reported);
  }

  #ask(change: 1 | -1): void {
    const wasAsking = this.#questions > 0;
    this.#questions = Math.max(0, this.#questions + change);
    const isAsking = this.#questions > 0;
    if (this.isWorking && isAsking !== wasAsking) {
      this.#patch({ state: { state: isAsking ? 'requires_action' : 'running' } });
    }
  }

  #becomeIdle(): void {
    const { stopReason, error, usage } = this.#outcome;
    this.#questions = 0;
    const end = error === undefined ? { stopReason } : { stopReason: 'error', error: failure(error) };
    void this.#options.report(delegateIdle(this.#mark, end, usage));
    this.#options.onWork();
    for (const settle of this.#waiting) settle();
  }

  #patch(fields: object): void {
    void this.#options.report(delegateUpdate(this.#mark, fields));
  }
}

/** Characters of a prompt that label a delegate. */
const labelLength = 200;

function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length > labelLength ? `${line.slice(0, labelLength - 1)}…` : line;
}

function failure(message: string): { readonly code: number; readonly message: string } {
  return { code: -32603, message };
}
