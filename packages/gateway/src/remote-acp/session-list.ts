import type { Message, RequestMessage } from '@parley/wire';
import type { Passage } from './relay.ts';

/** How the sessions of an agent are listed. */
export interface SessionListOptions {
  /** Whether the client may see an entry. */
  readonly isShown: (entry: unknown) => Promise<boolean>;
  /** Whether the client may see what the agent says besides the entries, which may be about all of them. */
  readonly isWhole: boolean;
}

/** Sessions in one answer to a client; more are left out. */
const mostListed = 10_000;

/** Pages of one agent that are read for one answer. */
const mostPages = 1000;

/**
 * Filters the answer to a `session/list`. All pages of the agent become one: a page that is short of entries, or a cursor of the
 * agent's, would tell of sessions that the client must not know of.
 */
export class SessionList {
  readonly #request: RequestMessage;
  readonly #options: SessionListOptions;
  readonly #sessions: unknown[] = [];
  readonly #cursors = new Set<string>();

  constructor(request: RequestMessage, options: SessionListOptions) {
    this.#request = request;
    this.#options = options;
  }

  /** Takes a page of the agent's: the whole list goes to the client, or the agent is asked for the next page. */
  async take(answer: Message): Promise<Passage> {
    if (!('result' in answer) || !hasSessions(answer.result)) return { toClient: answer };
    for (const entry of answer.result.sessions) {
      if (this.#sessions.length >= mostListed) break;
      if (await this.#options.isShown(entry)) this.#sessions.push(entry);
    }
    const { nextCursor, ...rest } = answer.result;
    const next = this.#nextPage(nextCursor);
    if (next !== undefined) return { toAgent: next };
    const result = { ...(this.#options.isWhole && rest), sessions: this.#sessions };
    return { toClient: { ...answer, result } };
  }

  /** The id of the request is free again, for it was answered; so that a client which cancels it cancels this one. */
  #nextPage(cursor: unknown): RequestMessage | undefined {
    const isFull = this.#sessions.length >= mostListed || this.#cursors.size >= mostPages;
    if (isFull || typeof cursor !== 'string' || this.#cursors.has(cursor)) return undefined;
    this.#cursors.add(cursor);
    const { params } = this.#request;
    return { ...this.#request, params: { ...(typeof params === 'object' && params), cursor } };
  }
}

interface ListResult {
  readonly sessions: readonly unknown[];
  readonly nextCursor?: unknown;
}

function hasSessions(result: unknown): result is ListResult {
  return (
    typeof result === 'object' && result !== null && 'sessions' in result && Array.isArray(result.sessions)
  );
}
