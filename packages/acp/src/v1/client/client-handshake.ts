import { AcpError } from '../../acp-error.ts';
import type { AgentCapabilities, ClientCapabilities, InitializeResponse } from '../../schema/v1/unstable.ts';
import { protocolVersion } from '../initialize.ts';
import type { Described } from '../peer.ts';
import type { Declared } from '../rules/gate.ts';

type Phase =
  | { readonly phase: 'new' }
  | { readonly phase: 'initializing' }
  | { readonly phase: 'ready'; readonly declared: Declared; readonly agent: Described<AgentCapabilities> };

/** Whether a client may talk to its agent yet: `initialize` comes first, and once. */
export class ClientHandshake {
  readonly #client: ClientCapabilities;
  #phase: Phase = { phase: 'new' };

  constructor(client: ClientCapabilities) {
    this.#client = client;
  }

  /** Whether nothing was sent yet: then nothing of the agent's is expected either. */
  get isNew(): boolean {
    return this.#phase.phase === 'new';
  }

  /** What the agent said of itself. */
  get described(): Described<AgentCapabilities> {
    return this.#phase.phase === 'ready' ? this.#phase.agent : unknownAgent;
  }

  /** What both sides declared, for a call of the agent's. */
  get declared(): Declared {
    if (this.#phase.phase === 'ready') return this.#phase.declared;
    return { agent: {}, client: this.#client, authMethods: [] };
  }

  /**
   * What both sides declared, for a call of ours.
   *
   * @throws {AcpError} `not-initialized`.
   */
  declaredFor(method: string): Declared {
    if (this.#phase.phase === 'ready') return this.#phase.declared;
    throw new AcpError(
      'not-initialized',
      `${method}: not sent, because initialize must be the first request`,
      { method },
    );
  }

  /**
   * `initialize` is about to be sent.
   *
   * @throws {AcpError} `already-initialized`.
   */
  begin(): void {
    if (this.#phase.phase !== 'new') {
      throw new AcpError('already-initialized', 'initialize: not sent: it was sent before', {
        method: 'initialize',
      });
    }
    this.#phase = { phase: 'initializing' };
  }

  /** `initialize` failed; it may be sent again. */
  abandon(): void {
    this.#phase = { phase: 'new' };
  }

  /**
   * The agent answered.
   *
   * @throws {AcpError} `unsupported-version`.
   */
  complete(answer: InitializeResponse): void {
    const { agentInfo: info, agentCapabilities: capabilities = {}, authMethods = [] } = answer;
    if (answer.protocolVersion !== protocolVersion) {
      const message = `initialize: the agent speaks version ${answer.protocolVersion}, we speak ${protocolVersion}`;
      throw new AcpError('unsupported-version', message, { method: 'initialize' });
    }
    this.#phase = {
      phase: 'ready',
      declared: { agent: capabilities, client: this.#client, authMethods },
      agent: { info, capabilities, authMethods },
    };
  }
}

const unknownAgent: Described<AgentCapabilities> = { info: undefined, capabilities: {}, authMethods: [] };
