import { RequestError } from '../request-error.ts';

/** By which a request is known when it comes again. */
export interface Idempotency {
  readonly key: string;
  /** What was asked for then. */
  readonly bodyHash: string;
}

/** Refuses a key that came with something else before. */
export function expectSameBody(before: Idempotency, now: Idempotency): void {
  if (before.bodyHash === now.bodyHash) return;
  throw new RequestError(422, 'idempotency_key_reused', 'the Idempotency-Key came with another body before');
}
