import {
  clientRequests,
  Invalid,
  type CreateTerminalRequest,
  type TerminalExitStatus,
  type TerminalOutputResponse,
} from '@parley/acp';
import { RpcError, rpcCodes } from '@parley/wire';
import type { ClientServiceMethod, ServeByClient } from '../../agent/agent-clients.ts';

/** A terminal that a client of the session serves. */
export interface ClientTerminal {
  output(signal: AbortSignal): Promise<TerminalOutputResponse>;
  exited(signal: AbortSignal): Promise<TerminalExitStatus>;
  kill(signal: AbortSignal): Promise<void>;
  release(signal: AbortSignal): Promise<void>;
}

const methods = {
  create: { name: 'terminal/create', ...clientRequests['terminal/create'] },
  output: { name: 'terminal/output', ...clientRequests['terminal/output'] },
  wait: { name: 'terminal/wait_for_exit', ...clientRequests['terminal/wait_for_exit'] },
};

/** The terminals of one session that its clients serve, by the ids that the clients gave them. */
export class ClientTerminals {
  readonly #terminals = new Map<string, ClientTerminal>();

  /** @throws {RpcError} The client refused, or its response breaks the protocol. */
  async create(
    params: CreateTerminalRequest,
    { serve, signal }: { readonly serve: ServeByClient; readonly signal: AbortSignal },
  ): Promise<string> {
    const { sessionId } = params;
    const { terminalId } = read(methods.create, await serve('terminal/create', params, signal));
    const named = { sessionId, terminalId };
    const ask = (method: ClientServiceMethod, until: AbortSignal): Promise<unknown> =>
      serve(method, named, until);
    this.#terminals.set(terminalId, {
      output: async (until) => read(methods.output, await ask('terminal/output', until)),
      exited: async (until) => read(methods.wait, await ask('terminal/wait_for_exit', until)),
      kill: async (until) => {
        await ask('terminal/kill', until);
      },
      release: async (until) => {
        await ask('terminal/release', until);
      },
    });
    return terminalId;
  }

  get(terminalId: string): ClientTerminal | undefined {
    return this.#terminals.get(terminalId);
  }

  delete(terminalId: string): void {
    this.#terminals.delete(terminalId);
  }
}

/** @throws {RpcError} The response breaks the protocol. */
function read<Result>(
  {
    name,
    parseResult,
  }: { readonly name: string; readonly parseResult: (value: unknown) => Result | Invalid },
  response: unknown,
): Result {
  const parsed = parseResult(response);
  if (!(parsed instanceof Invalid)) return parsed;
  throw new RpcError(rpcCodes.internalError, `${name}: the client's response: ${parsed.message}`);
}
