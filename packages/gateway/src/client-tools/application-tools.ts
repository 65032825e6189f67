import { isDeepStrictEqual } from 'node:util';
import type { ContentBlock, ToolSpec } from '@parley/aap';
import { untilAborted } from '@parley/wire';
import type { AgentToolCall, AnswerToolCall } from './tool-endpoint.ts';

/** What an application gave for a call of one of its tools. */
export type ToolAnswer = string | readonly ContentBlock[];

/** How long an answer is kept that came when the agent had given up waiting: it may call again. */
export const keptAnswerMs = 60_000;

/** Calls that the agent gave up and that are remembered, at most; the oldest go first. */
const mostGivenUpCalls = 32;

/** What the tools of a session are made with. */
export interface ApplicationToolsOptions {
  readonly tools: readonly ToolSpec[];
  readonly call: AnswerToolCall;
  /** A clock that only goes forward, in milliseconds. @default performance.now */
  readonly now?: () => number;
}

/**
 * The application's tools of one session. Agents stop waiting long before people do, and their models then call again:
 * such a call joins the one that the application is busy with, so that it is asked once.
 */
export class ApplicationTools {
  readonly #call: AnswerToolCall;
  readonly #now: () => number;
  readonly #over = new AbortController();
  #tools: readonly ToolSpec[];
  /** Calls that the application was asked about and the agent waits for no more, oldest first. */
  #givenUp: OpenCall[] = [];

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
   * not told of that, for its answer may be wanted again.
   */
  async answer(call: AgentToolCall, signal: AbortSignal): Promise<ToolAnswer> {
    this.#over.signal.throwIfAborted();
    signal.throwIfAborted();
    const open = this.#joinGivenUp(call) ?? this.#begin(call);
    // At once: the same call may come in the same read as the word that nobody waits for this one.
    const giveUp = (): void => this.#giveUp(open);
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      return await untilAborted(open.answer, signal);
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  /** Nobody wants an answer any more. */
  close(): void {
    this.#givenUp = [];
    this.#over.abort(new Error('the session does not go on'));
  }

  #begin(call: AgentToolCall): OpenCall {
    const open: OpenCall = { call, answer: this.#call(call, this.#over.signal) };
    const note = (): void => {
      open.answeredAt = this.#now();
    };
    open.answer.then(note, note);
    return open;
  }

  #joinGivenUp(call: AgentToolCall): OpenCall | undefined {
    const oldest = this.#now() - keptAnswerMs;
    this.#givenUp = this.#givenUp.filter(({ answeredAt = oldest }) => answeredAt >= oldest);
    const found = this.#givenUp.find((open) => isSame(open.call, call));
    this.#givenUp = this.#givenUp.filter((open) => open !== found);
    return found;
  }

  #giveUp(open: OpenCall): void {
    if (this.#over.signal.aborted) return;
    this.#givenUp = [...this.#givenUp, open].slice(-mostGivenUpCalls);
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
