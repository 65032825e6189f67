import { invalidParams, invalidRequest, unknownSession } from '@parley/acp';
import { namedSessions, type Replica, type Sender } from '@parley/host';
import type { RpcError } from '@parley/wire';
import { judgeSession, mayAdminister, mayBeginSessions, type SessionUse } from '../access/session-access.ts';
import type { Principal } from '../access/token.ts';
import type { HubSessions } from '../hub/sessions/hub-sessions.ts';
import { acpMethodUses, type AcpMethodUse } from './acp-methods.ts';
import type { PlainSessions } from './plain/plain-sessions.ts';
import type { SignInTerminals } from './sign-in-terminals.ts';

/** What the owner of a session is asked to do, by a client of any replica. */
export interface OwnerCall {
  readonly method: string;
  readonly table: HubSessions;
  readonly principal: Principal;
  /** Who prompts and answers are from. */
  readonly from: Sender;
  /** Aborted when the client cancels the request; not when it goes away, which ends nothing. */
  readonly signal: AbortSignal;
  /** An owner that has ended may have begun it. @default false */
  readonly isRetaken?: boolean;
}

/** A request of a client of the hub. */
export interface HubCall extends OwnerCall {
  /** The agent that the address names. @default the default agent */
  readonly agent?: string;
  /** Has the owner of a session do something: this process, or another replica. @throws {RpcError} */
  readonly atOwner: (method: string, params: unknown) => Promise<object>;
  /** Has one replica do something that concerns no session yet. @throws {RpcError} */
  readonly atReplica: (replica: Pick<Replica, 'id'>, method: string, params: unknown) => Promise<object>;
  /** What a client of plain ACP has open; absent for one that attends, which learns from events what happens. */
  readonly plain?: PlainSessions;
  /** Sign-in commands that this client has opened. */
  readonly terminals: SignInTerminals;
  /** Runs behind the response to this request. */
  readonly afterAnswer: (run: () => void) => void;
}

/** What a client can ask of the hub. */
export interface HubRequest {
  readonly use: AcpMethodUse;
  readonly by?: never;
  readonly run: (params: unknown, call: HubCall) => Promise<object>;
}

/** What a client can ask of the owner of a session, whichever replica that is. */
export interface OwnerRequest {
  readonly use: AcpMethodUse;
  readonly by: 'owner';
  readonly run: (params: unknown, call: OwnerCall) => Promise<object>;
  /** Whether it may be done a second time where the first owner ended during it. @default false */
  readonly canRepeat?: true;
  /**
   * Whether its params may contain a secret: without a key, they are then not stored for another replica.
   *
   * @default whether redaction would replace something in them
   */
  readonly mayHoldSecret?: (params: unknown, table: HubSessions) => boolean;
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
    `${method}: it affects all sessions and clients, and requires a token of the scope admin`,
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
