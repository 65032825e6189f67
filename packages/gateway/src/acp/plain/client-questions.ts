import { clientRequests, Invalid } from '@parley/acp';
import type { HubAnswer, HubQuestion } from '@parley/host/hub';

/** How questions reach one client of plain ACP. */
export interface ClientQuestionsOptions {
  /** Sends a request to the client. Rejects when the signal is aborted. */
  readonly ask: (method: string, params: object, signal: AbortSignal) => Promise<unknown>;
  /** Passes on an answer. @throws {RpcError} It is invalid, or too late. */
  readonly decide: (question: HubQuestion, answer: HubAnswer) => Promise<void>;
  /** Whether the client declared support for this form mode. */
  readonly takesForm: (mode: string) => boolean;
  /** Whether the client declared support for sub-agents. */
  readonly showsSubagents: () => boolean;
}

/** The open questions of the sessions that a client has open, as requests to that client. */
export class ClientQuestions {
  readonly #options: ClientQuestionsOptions;
  /** Questions whose preceding events the client has received. */
  readonly #known = new Set<string>();
  readonly #asked = new Map<string, AbortController>();

  constructor(options: ClientQuestionsOptions) {
    this.#options = options;
  }

  /** Marks questions whose preceding events the client has received. */
  know(requestIds: Iterable<string>): void {
    for (const requestId of requestIds) this.#known.add(requestId);
  }

  /** It was decided. */
  forget(requestId: string): void {
    if (!this.#asked.has(requestId)) this.#known.delete(requestId);
  }

  /** Whether the client supports this question. */
  shows(question: HubQuestion): boolean {
    return this.#toRequest(question) !== undefined;
  }

  /** Asks open questions that the client was not asked yet, and cancels those that are no longer open. */
  follow(open: readonly HubQuestion[]): void {
    const ids = new Set(open.map(({ requestId }) => requestId));
    for (const [requestId, asking] of this.#asked) {
      if (ids.has(requestId)) continue;
      this.#asked.delete(requestId);
      this.#known.delete(requestId);
      asking.abort();
    }
    for (const question of open) {
      const { requestId } = question;
      if (this.#known.has(requestId) && !this.#asked.has(requestId)) this.#ask(question);
    }
  }

  #ask(question: HubQuestion): void {
    const request = this.#toRequest(question);
    if (request === undefined) return;
    const asking = new AbortController();
    this.#asked.set(question.requestId, asking);
    const run = async (): Promise<void> => {
      const response = await this.#options.ask(request.method, request.params, asking.signal);
      const answer = request.read(response);
      if (answer !== undefined) await this.#options.decide(question, answer);
    };
    // An error has decided nothing; nor has what is no answer, or came when another client had answered.
    run().catch(() => undefined);
  }

  #toRequest(question: HubQuestion): QuestionRequest | undefined {
    const { key, subagent } = question;
    // To a client that knows no sub-agents, what one asks is asked by the session itself.
    const isNamed = subagent !== undefined && this.#options.showsSubagents();
    const sessionId = isNamed ? subagent.sessionId : key;
    switch (question.kind) {
      case 'permission': {
        const method = 'session/request_permission';
        return { method, params: { ...question.request, sessionId }, read: readPermission };
      }
      case 'elicitation': {
        const { request } = question;
        // One that belongs to a request names it as only its sender knows it.
        if (!('sessionId' in request) || !this.#options.takesForm(request.mode)) return undefined;
        return { method: 'elicitation/create', params: { ...request, sessionId }, read: readForm };
      }
      // Editors sign in with `authenticate`.
      case 'sign-in':
        return undefined;
    }
  }
}

interface QuestionRequest {
  readonly method: string;
  readonly params: object;
  /** Parses a response; undefined if it contains no answer. */
  readonly read: (response: unknown) => HubAnswer | undefined;
}

function readPermission(response: unknown): HubAnswer | undefined {
  const parsed = clientRequests['session/request_permission'].parseResult(response);
  if (parsed instanceof Invalid) return undefined;
  const { outcome } = parsed;
  switch (outcome.outcome) {
    case 'selected':
      return { kind: 'option', optionId: outcome.optionId };
    case 'cancelled':
      return { kind: 'cancel' };
    default:
      return undefined;
  }
}

function readForm(response: unknown): HubAnswer | undefined {
  const parsed = clientRequests['elicitation/create'].parseResult(response);
  if (parsed instanceof Invalid) return undefined;
  switch (parsed.action) {
    case 'accept':
      return { kind: 'form', action: 'accept', content: parsed.content ?? {} };
    case 'decline':
    case 'cancel':
      return { kind: 'form', action: parsed.action };
    default:
      return undefined;
  }
}
