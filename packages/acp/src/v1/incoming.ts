import { Invalid, RpcError } from '@parley/wire';
import { AcpError, acpCodes } from '../acp-error.ts';
import { invalidParams, methodNotFound } from '../refusal.ts';
import { findDeparture } from './departure.ts';
import type { AnyHandler, Handlers } from './maps.ts';
import type { Method } from './method.ts';
import { findObjection, findResultObjection } from './rules/find-objection.ts';
import type { Declared } from './rules/gate.ts';
import { toMessage } from './rules/objection.ts';

/**
 * Finds what carries out a request.
 *
 * @throws {RpcError} -32601: nothing does, or the capability it needs was not declared.
 */
export function findHandler(
  { name, kind, rule }: Method,
  handlers: Handlers,
  declared: Declared,
): AnyHandler {
  const handler = handlers[name];
  if (kind !== 'request' || handler === undefined || rule.gate?.isOpen(declared) === false) {
    throw methodNotFound(name);
  }
  return handler;
}

/**
 * The params of a peer's call, as its handler gets them.
 *
 * @throws {RpcError} -32602: they break the protocol.
 */
export function acceptParams(method: Method, raw: unknown, declared: Declared): unknown {
  const params = method.parseParams(raw);
  if (params instanceof Invalid) throw invalidParams(params.path, params.expected);
  const objection = findObjection(method.rule, params, declared, 'theirs');
  if (objection === undefined) return params;
  const { path, expected } = objection;
  throw new RpcError(acpCodes.invalidParams, `Invalid params: ${toMessage(objection)}`, { path, expected });
}

/**
 * The result of a handler, as it is sent: nothing is `{}`.
 *
 * @throws {AcpError} `invalid-result`: it would break the protocol. The peer is then answered -32603.
 */
export function acceptResult(method: Method, result: unknown, declared: Declared): object {
  const value = result ?? {};
  const { name, rule, parseResult } = method;
  const departure = parseResult && findDeparture(value, parseResult);
  if (departure !== undefined) throw badResult(name, departure.path, departure.message);
  const objection = findResultObjection(rule, value, declared);
  if (objection !== undefined) throw badResult(name, objection.path, toMessage(objection));
  return value;
}

/** What a handler returned, as it is sent: now, or once its promise settles. Throws as {@link acceptResult} does. */
export function acceptAnswer(method: Method, answer: unknown, declared: Declared): object | Promise<object> {
  if (!isThenable(answer)) return acceptResult(method, answer, declared);
  return Promise.resolve(answer).then((result) => acceptResult(method, result, declared));
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

function badResult(method: string, path: string, why: string): AcpError {
  return new AcpError('invalid-result', `${method}: the handler's result was not sent: ${why}`, {
    method,
    path,
  });
}
