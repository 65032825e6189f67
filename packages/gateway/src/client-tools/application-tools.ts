import { isDeepStrictEqual } from 'node:util';
import type { ContentBlock, ToolSpec } from '@parley/aap';
import { untilAborted } from '@parley/wire';
import type { AgentToolCall, AnswerToolCall } from './tool-endpoint.ts';

/** What an application gave for a call of one of its tools. */
export type ToolAnswer = string | readonly ContentBlock[];

/** How long an answer is stored that arrived after the agent had stopped waiting: the agent may call again. */
export const keptAnswerMs = 60_000;

/** Remembered abandoned calls; the oldest are dropped first. */
const mostAbandonedCalls = 32;

/** Options of {@link ApplicationTools}. */
export interface ApplicationToolsOptions {
  readonly tools: readonly ToolSpec[];
  readonly call: AnswerToolCall;
  /** A clock that only goes forward, in milliseconds. @default performance.now */
  readonly now?: () => number;
}

/**
 * The application's tools in one session. Agents time out before users answer, and their models then call again: such
 * a call joins the pending one, so that the application is asked once.
 */
export class ApplicationTools {
  readonly #call: AnswerToolCall;
  readonly #now: () => number;
  readonly #over = new AbortController();
  #tools: readonly ToolSpec[];
  /** Calls that the application was asked about and the agent waits for no more, oldest first. */
  #abandoned: OpenCall[] = [];

  constructor({ tools, call, now = () => performance.now() }: ApplicationToolsOptions) {
    this.#tools = tools;
    this.#call = call;
    this.#now = now;
  }

  get tools(): readonly ToolSpec[] {
    return this.#tools;
  }

  replace(tools: readonly ToolSpec[]): void {
    this.#tools = tools;
  }

  has(name: string): boolean {
    return this.#tools.some((tool) => tool.name === name);
  }

  /**
   * The application's answer. Rejects as soon as the agent does not wait any more, its signal says; the application is
   * not notified of that, for its answer may be wanted again.
   */
  async answer(call: AgentToolCall, signal: AbortSignal): Promise<ToolAnswer> {
    this.#over.signal.throwIfAborted();
    signal.throwIfAborted();
    const open = this.#joinAbandoned(call) ?? this.#begin(call);
    // At once: the same call may come in the same read as the cancellation of this one.
    const abandon = (): void => this.#abandon(open);
    signal.addEventListener('abort', abandon, { once: true });
    try {
      return await untilAborted(open.answer, signal);
    } finally {
      signal.removeEventListener('abort', abandon);
    }
  }

  /** No answer is needed any more. */
  close(): void {
    this.#abandoned = [];
    this.#over.abort(new Error('the session cannot be continued'));
  }

  #begin(call: AgentToolCall): OpenCall {
    const open: OpenCall = { call, answer: this.#call(call, this.#over.signal) };
    const note = (): void => {
      open.answeredAt = this.#now();
    };
    open.answer.then(note, note);
    return open;
  }

  #joinAbandoned(call: AgentToolCall): OpenCall | undefined {
    const oldest = this.#now() - keptAnswerMs;
    this.#abandoned = this.#abandoned.filter(({ answeredAt = oldest }) => answeredAt >= oldest);
    const found = this.#abandoned.find((open) => isSame(open.call, call));
    this.#abandoned = this.#abandoned.filter((open) => open !== found);
    return found;
  }

  #abandon(open: OpenCall): void {
    if (this.#over.signal.aborted) return;
    this.#abandoned = [...this.#abandoned, open].slice(-mostAbandonedCalls);
  }
}

interface OpenCall {
  readonly call: AgentToolCall;
  readonly answer: Promise<ToolAnswer>;
  answeredAt?: number;
}

function isSame(left: AgentToolCall, right: AgentToolCall): boolean {
  return left.name === right.name && isDeepStrictEqual(left.input, right.input);
}
