import { invalidParams, invalidRequest, unknownSession } from '@parley/acp';
import { namedSessions, type Sender } from '@parley/host';
import type { RpcError } from '@parley/wire';
import { judgeSession, mayAdminister, mayBeginSessions, type SessionUse } from '../access/session-access.ts';
import type { Principal } from '../access/token.ts';
import type { HubSessions } from '../hub/hub-sessions.ts';
import { acpMethodUses, type AcpMethodUse } from './acp-methods.ts';
import type { PlainSessions } from './plain/plain-sessions.ts';

/** A request of a client of the hub. */
export interface HubCall {
  readonly method: string;
  readonly table: HubSessions;
  readonly principal: Principal;
  /** Who prompts and answers are from. */
  readonly from: Sender;
  /** The agent that the address names. @default the default agent */
  readonly agent?: string;
  /** Hosts of MCP servers that clients may bring along. */
  readonly mcpHosts: readonly string[];
  /** Aborted when the client cancels the request; not when it goes away, which ends nothing. */
  readonly signal: AbortSignal;
  /** What a client of plain ACP has open; absent for one that attends, which learns from events what happens. */
  readonly plain?: PlainSessions;
  /** Runs behind the response to this request. */
  readonly afterAnswer: (run: () => void) => void;
}

/** What a client can ask of the hub. */
export interface HubRequest {
  readonly use: AcpMethodUse;
  readonly run: (params: unknown, call: HubCall) => Promise<object>;
}

/**
 * Decides whether a request may be made. Whether a session of another token exists makes no difference.
 *
 * @throws {RpcError} -32002: the token knows no such session; -32600: it may not do that; -32602
 */
export async function checkAccess(use: AcpMethodUse, params: unknown, call: HubCall): Promise<void> {
  const { method, principal } = call;
  switch (use) {
    case 'connection':
    case 'list':
      return checkNamed('look', params, call);
    case 'sign-in':
    case 'begin':
      if (!mayBeginSessions(principal)) throw readOnly(method);
      return checkNamed('look', params, call);
    case 'fork':
      if (!mayBeginSessions(principal)) throw readOnly(method);
      checkNames(params);
      return checkNamed('look', params, call);
    case 'look':
    case 'change':
      checkNames(params);
      return checkNamed(use, params, call);
    case 'look-all':
      if (judgeSession(principal, undefined, 'look') !== 'allowed') throw administrative(method);
      return undefined;
    case 'administer':
      if (!mayBeginSessions(principal)) throw readOnly(method);
      if (!mayAdminister(principal)) throw administrative(method);
  }
}

/** Why a client that only looks is refused. */
export function readOnly(method: string): RpcError {
  return invalidRequest(`${method}: this token is read-only`);
}

function administrative(method: string): RpcError {
  return invalidRequest(
    `${method}: it names no session of this token; only a token of the scope admin may use it`,
  );
}

/** @throws {RpcError} -32602: no session is named. */
function checkNames(params: unknown): void {
  const isNamed = typeof params === 'object' && params !== null && 'sessionId' in params;
  if (!isNamed || typeof params.sessionId !== 'string') throw invalidParams('sessionId', 'a string');
}

async function checkNamed(use: SessionUse, params: unknown, call: HubCall): Promise<void> {
  const { method, principal, table } = call;
  // Everything is allowed; whether there is such a session is looked at when it is used.
  if (mayAdminister(principal)) return;
  const depth = acpMethodUses.has(method) || method.startsWith('_parley/') ? 'meta' : 'whole';
  for (const sessionId of namedSessions(params, depth)) {
    switch (judgeSession(principal, await table.ownerOf(sessionId), use)) {
      case 'allowed':
        break;
      case 'unknown':
        throw unknownSession(sessionId);
      case 'read-only':
        throw readOnly(method);
    }
  }
}
