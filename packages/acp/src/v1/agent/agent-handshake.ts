import { invalidRequest } from '../../refusal.ts';
import type {
  ClientCapabilities,
  Implementation,
  InitializeRequest,
  InitializeResponse,
} from '../../schema/v1/unstable.ts';
import { type AgentDescription, createInitializeResult } from '../initialize.ts';
import type { Described } from '../peer.ts';
import type { Declared } from '../rules/gate.ts';

type Phase =
  | { readonly phase: 'new' }
  | { readonly phase: 'initializing'; readonly done: Promise<void> }
  | { readonly phase: 'ready'; readonly declared: Declared; readonly clientInfo: Implementation | undefined };

/** What an agent's own handler adds to its answer to `initialize`. */
export type Additions = Partial<InitializeResponse>;

/** Throws when the answer to `initialize` breaks the protocol. */
type CheckResult = (result: InitializeResponse, declared: Declared) => void;

/** Whether a client may talk to an agent yet: `initialize` comes first, and once. */
export class AgentHandshake {
  readonly #agent: AgentDescription;
  #phase: Phase = { phase: 'new' };
  #waiting = 0;

  constructor(agent: AgentDescription) {
    this.#agent = agent;
  }

  /** What the client said of itself. */
  get described(): Described<ClientCapabilities> {
    const phase = this.#phase;
    if (phase.phase !== 'ready') return { info: undefined, capabilities: {}, authMethods: [] };
    return { info: phase.clientInfo, capabilities: phase.declared.client, authMethods: [] };
  }

  /** What both sides declared; nothing may be sent before that. */
  get declared(): Declared | undefined {
    return this.#phase.phase === 'ready' ? this.#phase.declared : undefined;
  }

  /** @throws {RpcError} -32600: the client has initialized, or is about to. */
  assertNew(): void {
    if (this.#phase.phase !== 'new') throw invalidRequest('initialize: it was sent before');
  }

  /** Answers `initialize` when the agent's own handler has had its say. If that fails, the client may try again. */
  complete(
    request: InitializeRequest,
    added: Additions | void | Promise<Additions | void>,
    check: CheckResult,
  ): InitializeResponse | Promise<InitializeResponse> {
    if (!(added instanceof Promise)) return this.#finish(request, added ?? {}, check);
    const answer = added.then((additions) => this.#finish(request, additions ?? {}, check));
    const done = answer.then(
      () => {},
      () => {
        this.#phase = { phase: 'new' };
      },
    );
    this.#phase = { phase: 'initializing', done };
    return answer;
  }

  /**
   * Runs a task once the client has initialized. What is read behind `initialize` waits for it.
   *
   * @param refuse What to do when the client has not even begun to, or too much waits.
   */
  run<T>(task: (declared: Declared) => T, refuse: () => T): T | Promise<Awaited<T>> {
    const phase = this.#phase;
    switch (phase.phase) {
      case 'new':
        return refuse();
      case 'initializing':
        return this.#waiting < waitingLimit ? this.#wait(phase.done, task, refuse) : refuse();
      case 'ready':
        return task(phase.declared);
    }
  }

  async #wait<T>(done: Promise<void>, task: (declared: Declared) => T, refuse: () => T): Promise<Awaited<T>> {
    this.#waiting++;
    await done;
    this.#waiting--;
    return await this.run(task, refuse);
  }

  #finish(request: InitializeRequest, added: Additions, check: CheckResult): InitializeResponse {
    const result = createInitializeResult(this.#agent, request, added);
    const declared: Declared = {
      agent: result.agentCapabilities ?? {},
      client: request.clientCapabilities ?? {},
      authMethods: result.authMethods ?? [],
    };
    check(result, declared);
    this.#phase = { phase: 'ready', declared, clientInfo: request.clientInfo };
    return result;
  }
}

/** How many calls may wait behind `initialize`. */
const waitingLimit = 256;
