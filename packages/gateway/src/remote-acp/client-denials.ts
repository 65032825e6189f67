import { Invalid, clientRequests } from '@parley/acp';
import { createStandingDenials, type RequestedAction, type StandingDenials } from '@parley/host';
import { rpcCodes, type Message, type RequestMessage } from '@parley/wire';
import type { ConfiguredRule } from '@parley/workspace/rule';

/** Whose denials hold for one client. */
export interface ClientDenialsOptions {
  readonly agentName: string;
  readonly rules: readonly ConfiguredRule[];
  /** Where a session is whose directory is not known. */
  readonly directory: string;
  /** A request was denied. */
  readonly onDenied: (denied: DeniedRequest) => void;
}

/** A request for permission that a rule of ours has rejected. */
export interface DeniedRequest {
  readonly sessionId: string;
  readonly toolCallId: string;
  readonly reason: string;
  /** What was asked for. */
  readonly action: RequestedAction;
  /** The token of the client. */
  readonly token?: string;
}

const asking = 'session/request_permission';

/** Rejects, in place of one client, what rules of the configuration deny. */
export class ClientDenials {
  readonly #options: ClientDenialsOptions;
  readonly #sessions = new Map<string, StandingDenials>();

  constructor(options: ClientDenialsOptions) {
    this.#options = options;
  }

  /** A session was opened with these params. */
  open(sessionId: string, params: unknown): void {
    const isPlaced = typeof params === 'object' && params !== null && 'cwd' in params;
    if (!isPlaced || typeof params.cwd !== 'string') return;
    const further: unknown = 'additionalDirectories' in params ? params.additionalDirectories : undefined;
    const directories = Array.isArray(further)
      ? further.filter((directory) => typeof directory === 'string')
      : [];
    this.#sessions.set(sessionId, this.#createFor(params.cwd, directories));
  }

  /** A turn of the session has ended. */
  endTurn(sessionId: string): void {
    this.#sessions.get(sessionId)?.endTurn();
  }

  /** Takes what the agent says, in order; the answer to a request that is denied. */
  answer(message: Message): Promise<Message | undefined> | undefined {
    if (!('method' in message)) return undefined;
    if (message.method === 'session/update') this.#note(message.params);
    return message.method === asking && 'id' in message ? this.#judge(message) : undefined;
  }

  #note(params: unknown): void {
    if (typeof params !== 'object' || params === null) return;
    if (!('sessionId' in params) || typeof params.sessionId !== 'string' || !('update' in params)) return;
    this.#sessions.get(params.sessionId)?.note(params.update);
  }

  async #judge({ id, params }: RequestMessage): Promise<Message | undefined> {
    const request = clientRequests[asking].parseParams(params);
    // Nobody can judge it, and a client that makes something of it all the same must not allow it.
    if (request instanceof Invalid) {
      const error = { code: rpcCodes.invalidParams, message: `${asking}: ${request.message}` };
      return { jsonrpc: '2.0', id, error };
    }
    const { sessionId } = request;
    const denials = this.#sessions.get(sessionId) ?? this.#createFor(this.#options.directory, []);
    const denial = await denials.find(request);
    if (denial === undefined) return undefined;
    const { toolCallId } = request.toolCall;
    this.#options.onDenied({ sessionId, toolCallId, reason: denial.reason, action: denial.action });
    return { jsonrpc: '2.0', id, result: denial.response };
  }

  #createFor(cwd: string, directories: readonly string[]): StandingDenials {
    const { agentName, rules } = this.#options;
    return createStandingDenials({ agentName, rules, cwd, directories });
  }
}
