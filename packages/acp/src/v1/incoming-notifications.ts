import { RpcError } from '@parley/wire';
import { acpCodes } from '../acp-error.ts';
import type { AcpDiagnostic } from '../diagnostic.ts';
import type { Extension, OtherExtensions } from '../extension.ts';
import { acceptParams } from './incoming.ts';
import type { Handlers } from './maps.ts';
import type { Method, MethodTable } from './method.ts';
import type { Declared } from './rules/gate.ts';
import { sessionIdOf } from './session-book.ts';

/** What a side does with the notifications of its peer. */
export interface IncomingNotificationsOptions {
  readonly methods: MethodTable;
  readonly handlers: Handlers;
  readonly extensions: ReadonlyMap<string, Extension<unknown>>;
  readonly otherExtensions?: OtherExtensions<unknown>;
  /** What the handler gets beside the params. */
  createContext(raw: unknown): unknown;
  /**
   * What the side itself does before the handler.
   *
   * @throws {RpcError} The notification is not for us.
   */
  readonly prepare?: (method: Method, params: unknown) => void;
  report(diagnostic: AcpDiagnostic): void;
}

/** Takes the notifications of a peer. What the protocol does not allow is reported, and ignored. */
export class IncomingNotifications {
  readonly #options: IncomingNotificationsOptions;

  constructor(options: IncomingNotificationsOptions) {
    this.#options = options;
  }

  take(name: string, raw: unknown, declared: Declared): void | Promise<void> {
    const method = this.#options.methods.get(name);
    if (method === undefined) return this.#takeExtension(name, raw);
    if (method.kind !== 'notification') return this.#ignore(name);
    if (method.rule.gate?.isOpen(declared) === false) return this.#ignore(name);
    let params: unknown;
    try {
      params = this.accept(method, raw, declared);
    } catch (error) {
      return this.#refuse(name, raw, error);
    }
    return this.handle(method, params, raw);
  }

  /**
   * Looks at the params and lets the side do its part.
   *
   * @throws {RpcError} They break the protocol, or the notification is not for us.
   */
  accept(method: Method, raw: unknown, declared: Declared): unknown {
    const params = acceptParams(method, raw, declared);
    this.#options.prepare?.(method, params);
    return params;
  }

  /** Calls the handler, if there is one. */
  handle(method: Method, params: unknown, raw: unknown): void | Promise<void> {
    const handler = this.#options.handlers[method.name];
    return handler === undefined ? undefined : settled(handler(params, this.#options.createContext(raw)));
  }

  #takeExtension(name: string, raw: unknown): void | Promise<void> {
    const { extensions, otherExtensions } = this.#options;
    const extension = extensions.get(name);
    if (extension === undefined && otherExtensions !== undefined) {
      return settled(otherExtensions.notify(name, raw, this.#options.createContext(raw)));
    }
    if (extension?.handle === undefined || extension.notification !== true) return this.#ignore(name);
    return settled(extension.handle(raw, this.#options.createContext(raw)));
  }

  #ignore(method: string): void {
    this.#options.report({
      code: 'unknown-notification',
      message: `${method}: ignored, it has no handler`,
      method,
    });
  }

  #refuse(method: string, raw: unknown, error: unknown): void {
    if (!(error instanceof RpcError)) throw error;
    const code = error.code === acpCodes.resourceNotFound ? 'unknown-session' : 'invalid-params';
    const sessionId = sessionIdOf(raw);
    const message = `${method}: ignored: ${error.message}`;
    this.#options.report({ code, message, method, ...(sessionId !== undefined && { sessionId }) });
  }
}

/** A handler's promise is waited for; anything else it gave is nothing. */
export function settled(result: unknown): void | Promise<void> {
  return result instanceof Promise ? result.then(() => {}) : undefined;
}
