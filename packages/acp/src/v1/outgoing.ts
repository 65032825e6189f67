import { Invalid } from '@parley/wire';
import { AcpError, type AcpErrorCode } from '../acp-error.ts';
import { findDeparture } from './departure.ts';
import type { Method, Reader } from './method.ts';
import { findObjection } from './rules/find-objection.ts';
import type { Declared } from './rules/gate.ts';
import { withoutMcpOverAcp } from './rules/mcp-servers.ts';
import { toMessage } from './rules/objection.ts';

/** Why the protocol does not allow us to send something. */
export function findFault(method: Method, params: unknown, declared: Declared): AcpError | undefined {
  const { name, rule, parseParams } = method;
  if (rule.gate?.isOpen(declared) === false) {
    const { by, capability } = rule.gate;
    return fault('not-supported', name, `the ${by} did not declare ${capability}`);
  }
  const departure = findDeparture(withoutMcpOverAcp(params, declared), parseParams);
  if (departure !== undefined) return fault('invalid-params', name, departure.message, departure.path);
  const objection = findObjection(rule, params, declared, 'ours');
  return objection && fault(objection.code, name, toMessage(objection), objection.path);
}

/**
 * The result of a peer.
 *
 * @throws {AcpError} `invalid-result`: it breaks the protocol.
 */
export function readResult<Result>(method: string, parse: Reader<Result>, result: unknown): Result {
  const value = parse(result);
  if (!(value instanceof Invalid)) return value;
  const { path } = value;
  throw new AcpError('invalid-result', `${method}: the answer breaks the protocol: ${value.message}`, {
    method,
    path,
  });
}

function fault(code: AcpErrorCode, method: string, why: string, path?: string): AcpError {
  return new AcpError(code, `${method}: not sent: ${why}`, { method, ...(path !== undefined && { path }) });
}
