import { RpcError } from '@parley/wire';
import { HostError } from '../host-error.ts';
import type { Redaction } from './redaction.ts';

/** Redacts secrets in an error; returns the same error if it contains none. */
export function redactError(error: unknown, redaction: Redaction): unknown {
  if (!redaction.isNeeded || !(error instanceof Error)) return error;
  const message = redaction.text(error.message);
  if (error instanceof RpcError) return new RpcError(error.code, message, redaction.value(error.data));
  if (error instanceof HostError) {
    const { code, stderr, ...details } = error;
    return new HostError(code, message, {
      ...details,
      ...(stderr !== undefined && { stderr: redaction.text(stderr) }),
    });
  }
  // Its class says how to handle it.
  return message === error.message ? error : new Error(message);
}
