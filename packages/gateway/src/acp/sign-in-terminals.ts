import { randomUUID } from 'node:crypto';
import { invalidParams, invalidRequest } from '@parley/acp';
import type { SignInTerminal } from '@parley/host';
import {
  agentMethods,
  type SignInInput,
  type SignInOutput,
  type SignInTerminalOpened,
  type SignInTerminalParams,
} from '@parley/host/hub';
import type { HubSessions } from '../hub/sessions/hub-sessions.ts';

/** Simultaneous sign-in commands of one client. */
const mostTerminals = 4;

/** Sign-in commands that one client has opened. They end with its connection; what is written and typed is stored nowhere. */
export class SignInTerminals {
  readonly #table: HubSessions;
  readonly #client: SignInClient;
  readonly #open = new Map<string, SignInTerminal>();

  constructor(table: HubSessions, client: SignInClient) {
    this.#table = table;
    this.#client = client;
    client.signal.addEventListener('abort', () => {
      for (const terminal of this.#open.values()) void terminal.end();
    });
  }

  /** @throws {RpcError} @throws {HostError} */
  async open(params: SignInTerminalParams): Promise<SignInTerminalOpened> {
    if (this.#open.size >= mostTerminals) {
      throw invalidRequest(`${String(mostTerminals)} sign-in commands are already running; end one first`);
    }
    const terminal = await this.#table.agents.openSignIn(params);
    const terminalId = randomUUID();
    this.#open.set(terminalId, terminal);
    // The client may have gone meanwhile.
    if (this.#client.signal.aborted) void terminal.end();
    void this.#send(terminalId, terminal);
    return { terminalId };
  }

  /** @throws {RpcError} -32602: it has ended. */
  type({ terminalId, text }: SignInInput): void {
    const terminal = this.#open.get(terminalId);
    if (terminal === undefined) throw invalidParams('terminalId', 'a sign-in command that runs');
    terminal.type(text);
  }

  /** Settles when it has ended. */
  async close({ terminalId }: SignInTerminalOpened): Promise<void> {
    await this.#open.get(terminalId)?.end();
  }

  async #send(terminalId: string, terminal: SignInTerminal): Promise<void> {
    const send = (output: Omit<SignInOutput, 'terminalId'>): Promise<void> =>
      this.#client.notify(agentMethods.signInOutput, { terminalId, ...output });
    try {
      for await (const text of terminal.output) await send({ text });
      const { exitCode, signal } = await terminal.exited;
      await send({
        text: '',
        ended: { ...(exitCode !== null && { exitCode }), ...(signal !== null && { signal }) },
      });
    } catch {
      // The client has disconnected.
      await terminal.end();
    } finally {
      this.#open.delete(terminalId);
    }
  }
}

/** The client that sees what its sign-in commands write. */
interface SignInClient {
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** Settles when the client has room for the next. */
  readonly notify: (method: string, params: object) => Promise<void>;
}
