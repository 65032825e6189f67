import type { RequestOptions } from '@parley/wire';
import { AcpError } from '../acp-error.ts';
import { type ExtensionName, findReservation, isAdvertised } from '../extension.ts';
import { metaOf } from '../meta.ts';
import type { AuthMethod, Implementation } from '../schema/v1/unstable.ts';
import type { NotificationMap, RequestMap } from './maps.ts';
import type { MethodTable, Reader } from './method.ts';
import type { Scope } from './scope.ts';

/** Options of one call. */
export type CallOptions = Omit<RequestOptions, 'read'>;

/** The other side, as far as it can be called. */
export interface Peer<
  Requests extends RequestMap<Requests>,
  Notifications extends NotificationMap<Notifications>,
  Capabilities,
> {
  /** What the other side is, if it said so when it initialized. */
  readonly info: Implementation | undefined;
  /** The capabilities that the other side declared; none before `initialize`. */
  readonly capabilities: Capabilities;
  /** Whether the other side advertises an extension. */
  offers(name: ExtensionName): boolean;
  /**
   * Asks the other side.
   *
   * @throws {AcpError} The protocol does not allow it, and nothing was sent; or the answer breaks the protocol.
   * @throws {RpcError} The other side said no.
   * @throws {WireError} There was no answer.
   */
  request<M extends keyof Requests & string>(
    method: M,
    params: Requests[M]['params'],
    options?: CallOptions,
  ): Promise<Requests[M]['result']>;
  /**
   * Sends a notification. Settles at once while there is room.
   *
   * @throws {AcpError} The protocol does not allow it, and nothing was sent.
   * @throws {WireError} It could not be sent.
   */
  notify<M extends keyof Notifications & string>(
    method: M,
    params: Notifications[M]['params'],
  ): Promise<void>;
  /**
   * Asks for something that the protocol does not know. Neither params nor result are checked.
   *
   * @throws {AcpError} `invalid-params`: the protocol does know it, or keeps the name to itself.
   */
  requestExtension(name: string, params: object, options?: CallOptions): Promise<unknown>;
  /**
   * Sends an extension notification.
   *
   * @throws {AcpError} `invalid-params`: the protocol does know it, or keeps the name to itself.
   */
  notifyExtension(name: string, params: object): Promise<void>;
}

/** The agent, as a client calls it. */
export interface AgentPeerOf<
  Requests extends RequestMap<Requests>,
  Notifications extends NotificationMap<Notifications>,
  Capabilities,
> extends Peer<Requests, Notifications, Capabilities> {
  /** The ways to log in that the agent offers. */
  readonly authMethods: readonly AuthMethod[];
}

/** What the other side said of itself. */
export interface Described<Capabilities> {
  readonly info: Implementation | undefined;
  readonly capabilities: Capabilities;
  readonly authMethods: readonly AuthMethod[];
}

/** A request to be sent. */
export interface OutgoingRequest<Result> {
  readonly method: string;
  readonly params: object;
  readonly parseResult: Reader<Result>;
  readonly options: CallOptions;
  readonly scope: Scope;
}

/** How a request is made when its caller asked for nothing. */
const noOptions: CallOptions = {};

/** What a connection takes, of what a caller asked for; most ask for nothing, and pay for nothing. */
export function toRequestOptions<Result>(
  options: CallOptions,
  signal: AbortSignal | undefined,
  read: (result: unknown) => Result,
): RequestOptions<Result> {
  if (options === noOptions) return signal === undefined ? { read } : { signal, read };
  return { ...options, ...(signal !== undefined && { signal }), read };
}

/** The side that sends, as its peers see it. */
export interface Sender<Capabilities> {
  readonly described: Described<Capabilities>;
  /** The methods of the other side. */
  readonly methods: MethodTable;
  request<Result>(request: OutgoingRequest<Result>): Promise<Result>;
  notify(method: string, params: object, scope: Scope): Promise<void>;
}

/** How results are read, by method. */
export type ResultReaders<Requests extends RequestMap<Requests>> = {
  readonly [Method in keyof Requests]: { readonly parseResult: Reader<Requests[Method]['result']> };
};

/** The other side, called on behalf of one request, or of none. */
export class ScopedPeer<
  Requests extends RequestMap<Requests>,
  Notifications extends NotificationMap<Notifications>,
  Capabilities,
> implements Peer<Requests, Notifications, Capabilities> {
  readonly #sender: Sender<Capabilities>;
  readonly #readers: ResultReaders<Requests>;
  readonly #scope: Scope;

  constructor(sender: Sender<Capabilities>, readers: ResultReaders<Requests>, scope: Scope) {
    this.#sender = sender;
    this.#readers = readers;
    this.#scope = scope;
  }

  get info(): Implementation | undefined {
    return this.#sender.described.info;
  }

  get capabilities(): Capabilities {
    return this.#sender.described.capabilities;
  }

  get authMethods(): readonly AuthMethod[] {
    return this.#sender.described.authMethods;
  }

  offers(name: ExtensionName): boolean {
    return isAdvertised(metaOf(this.capabilities), name);
  }

  request<M extends keyof Requests & string>(
    method: M,
    params: Requests[M]['params'],
    options: CallOptions = noOptions,
  ): Promise<Requests[M]['result']> {
    const { parseResult } = this.#readers[method];
    return this.#sender.request({ method, params, parseResult, options, scope: this.#scope });
  }

  notify<M extends keyof Notifications & string>(
    method: M,
    params: Notifications[M]['params'],
  ): Promise<void> {
    return this.#sender.notify(method, params, this.#scope);
  }

  async requestExtension(name: string, params: object, options: CallOptions = noOptions): Promise<unknown> {
    this.#assertExtension(name);
    const parseResult = (result: unknown): unknown => result;
    return await this.#sender.request({ method: name, params, parseResult, options, scope: this.#scope });
  }

  async notifyExtension(name: string, params: object): Promise<void> {
    this.#assertExtension(name);
    await this.#sender.notify(name, params, this.#scope);
  }

  /** What is checked elsewhere must not go out unchecked. */
  #assertExtension(method: string): void {
    const fault = findReservation(method, this.#sender.methods);
    if (fault === undefined) return;
    throw new AcpError('invalid-params', `${method}: not sent: ${fault}`, { method });
  }
}
