import { methodNotFound } from '@parley/acp';
import { withSessionId, type AgentClients } from '@parley/host';
import type { HubQuestion } from '@parley/host/hub';

/** A connected client, as the agents of sessions reach it. */
export interface SessionClient {
  /** Whether it shows questions of this session to a user who may answer. */
  mayAnswer(key: string): boolean;
  /** Whether it can show such a question. */
  shows(question: HubQuestion): boolean;
  /** Whether it receives the events of this session as plain ACP. */
  follows(key: string): boolean;
  /** Whether it created this session and declared that it serves such requests. */
  serves(key: string, method: string): boolean;
  /** Sends a request about a session. Rejects when the signal is aborted, or the client has disconnected. */
  request(method: string, params: unknown, signal: AbortSignal): Promise<unknown>;
  /** Sends a notification about a session, behind the event with this number. */
  notify(key: string, notice: ExtensionNotice): void;
}

/** A notification of an agent that is not part of the protocol. */
export interface ExtensionNotice {
  readonly method: string;
  readonly params: unknown;
  /** The number of the session's last event before it. */
  readonly after: number;
}

/** A session, as far as requests of its agent are passed on. */
export interface NamedSession {
  readonly key: string;
  /** The agent's id of the session; undefined while it is unknown. */
  agentSessionId(): string | undefined;
  lastEvent(): number;
}

/** The clients that are connected. */
export class SessionClients {
  readonly #clients = new Set<SessionClient>();

  get size(): number {
    return this.#clients.size;
  }

  add(client: SessionClient): void {
    this.#clients.add(client);
  }

  delete(client: SessionClient): void {
    this.#clients.delete(client);
  }

  /**
   * Whether to reject a question at once.
   *
   * @param isUnattended Whether its sender cannot answer: it is then rejected if no other client may. Otherwise it
   * waits for a client, unless all connected clients lack support for it.
   */
  refuses(question: HubQuestion, isUnattended: boolean): boolean {
    const answering = [...this.#clients].filter((client) => client.mayAnswer(question.key));
    if (answering.some((client) => client.shows(question))) return false;
    return isUnattended || answering.length > 0;
  }

  /** The clients of one session, as its agent reaches them: the session has another id there. */
  of({ key, agentSessionId, lastEvent }: NamedSession): AgentClients {
    const toClient = (params: unknown): unknown => withSessionId(params, agentSessionId(), key);
    const toAgent = (result: unknown): unknown => withSessionId(result, key, agentSessionId());
    return {
      serving: (_sessionId, method) => {
        const client = [...this.#clients].find((each) => each.serves(key, method));
        return client === undefined
          ? undefined
          : (asked, params, signal) => client.request(asked, { ...params, sessionId: key }, signal);
      },
      request: async (method, params, signal) => {
        const asked = [...this.#clients].filter((client) => client.follows(key) && client.mayAnswer(key));
        return toAgent(await firstAnswer(asked, { method, params: toClient(params), signal }));
      },
      notify: (method, params) => {
        const notice = { method, params: toClient(params), after: lastEvent() };
        for (const client of this.#clients) if (client.follows(key)) client.notify(key, notice);
      },
    };
  }
}

interface ExtensionRequest {
  readonly method: string;
  readonly params: unknown;
  readonly signal: AbortSignal;
}

/** Asks all clients and returns the first answer; if all fail, the last error. */
async function firstAnswer(
  clients: readonly SessionClient[],
  { method, params, signal }: ExtensionRequest,
): Promise<unknown> {
  if (clients.length === 0) throw methodNotFound(method);
  const settled = new AbortController();
  const until = AbortSignal.any([signal, settled.signal]);
  try {
    return await Promise.any(clients.map((client) => client.request(method, params, until)));
  } catch (error) {
    throw error instanceof AggregateError ? error.errors.at(-1) : error;
  } finally {
    settled.abort();
  }
}
