import type { RequestId } from '@parley/wire';
import type { Meta } from '../meta.ts';

/** What a handler knows beside the params. */
export interface NotificationContext {
  /** The params as they came, before anything in them was mended. */
  readonly raw: unknown;
  /** The `_meta` of the params; empty when there is none. */
  readonly meta: Meta;
  /** Aborted when the connection ends, and for a request also when the peer cancels it. */
  readonly signal: AbortSignal;
}

/** What the handler of a request knows beside the params. */
export interface RequestContext extends NotificationContext {
  readonly requestId: RequestId;
  /**
   * Runs something as soon as the result was sent, so that what it sends comes right behind that: an update of a new
   * session, for example. It is not run when the request is answered with an error.
   */
  afterAnswer(run: () => void | Promise<void>): void;
}
