import { invalidParams, invalidRequest, unknownSession } from '@parley/acp';
import { rpcCodes, type RpcErrorObject } from '@parley/wire';
import {
  judgeSession,
  mayAdminister,
  mayBeginSessions,
  seesAllSessions,
  type SessionAccess,
  type SessionUse,
} from '../access/session-access.ts';
import type { Principal } from '../access/token.ts';
import { acpMethodUses, useOf } from './acp-methods.ts';
import { namedSessions } from './named-sessions.ts';
import { otherSpelling } from './other-spelling.ts';
import type { SessionOwner, SessionOwners } from './session-owners.ts';

/** Whose sessions a gate guards. */
export interface SessionGateOptions {
  readonly principal: Principal;
  /** The name of the agent. */
  readonly agent: string;
  readonly owners: SessionOwners;
}

/** Sessions that were begun on one connection, sub-agents included; more are not reachable. */
const mostBegun = 10_000;

/** Decides which sessions the messages of one client, and those of its agent to it, may name. */
export class SessionGate {
  readonly #options: SessionGateOptions;
  /** Begun on this connection. They are the client's, also where its agent stores none, for the agent is a process of its own. */
  readonly #begun = new Set<string>();
  #beginning = 0;

  constructor(options: SessionGateOptions) {
    this.#options = options;
  }

  /** The token that a session belongs to, and where it is, as far as it is stored. */
  stored(sessionId: string): SessionOwner | undefined {
    return this.#options.owners.find(this.#options.agent, sessionId);
  }

  /** Whether the client may look at a session, or change it. */
  judge(sessionId: string, use: SessionUse): SessionAccess {
    const { principal } = this.#options;
    const owner = this.#begun.has(sessionId) ? principal.id : this.stored(sessionId)?.owner;
    return judgeSession(principal, owner, use);
  }

  /** Why a message of the client is not passed on, if it is not. What does not exist and what is another's is answered alike. */
  refuse(method: string, params: unknown): RpcErrorObject | undefined {
    const { principal } = this.#options;
    // Everything is allowed.
    if (mayAdminister(principal)) return undefined;
    const odd =
      typeof params === 'object' && params !== null ? otherSpelling(params, ['sessionId']) : undefined;
    if (odd !== undefined) return invalidParams(odd, 'sessionId, as ACP spells it').toObject();
    const use = useOf(method, params);
    switch (use) {
      case 'connection':
      case 'list':
        return this.#refuseNamed(method, params, 'look');
      case 'sign-in':
      case 'begin':
        return mayBeginSessions(principal) ? this.#refuseNamed(method, params, 'look') : readOnly(method);
      case 'fork':
        if (!mayBeginSessions(principal)) return readOnly(method);
        return refuseUnnamed(params) ?? this.#refuseNamed(method, params, 'look');
      case 'look':
      case 'change':
        return refuseUnnamed(params) ?? this.#refuseNamed(method, params, use);
      case 'administer':
        return mayBeginSessions(principal) ? administrative(method) : readOnly(method);
    }
  }

  /** A session is being begun: its agent may speak of it before the client is told of it. Returns what ends that. */
  begin(): () => void {
    this.#beginning += 1;
    return () => {
      this.#beginning -= 1;
    };
  }

  /**
   * Makes a session that was begun the client's.
   *
   * @returns Why it cannot be: another token has a session of that id. Rejects when the owner cannot be stored.
   */
  async claim(sessionId: string, { cwd, isStored }: ClaimedSession): Promise<RpcErrorObject | undefined> {
    const { principal, agent, owners } = this.#options;
    if (isStored) {
      const before = this.stored(sessionId);
      if (before !== undefined && before.owner !== principal.id) return reused(agent);
      await owners.set(agent, sessionId, { owner: principal.id, cwd });
    }
    this.#add(sessionId);
    return undefined;
  }

  /** Forgets a session that was deleted. */
  async release(sessionId: string): Promise<void> {
    this.#begun.delete(sessionId);
    await this.#options.owners.delete(this.#options.agent, sessionId);
  }

  /** Whether the client must not see a message of its agent, because it names a session of another token. */
  hides(method: string, params: unknown): boolean {
    if (seesAllSessions(this.#options.principal)) return false;
    // Of what an agent says in its own words, such as the input of a tool, only an extension is about sessions.
    const depth = method.startsWith('_') ? 'whole' : 'top';
    for (const sessionId of namedSessions(params, depth)) if (!this.#isReachable(sessionId)) return true;
    const child = announcedChild(params);
    if (child !== undefined && this.stored(child) === undefined) this.#add(child);
    return false;
  }

  #isReachable(sessionId: string): boolean {
    if (this.judge(sessionId, 'look') === 'allowed') return true;
    return this.#beginning > 0 && this.stored(sessionId) === undefined;
  }

  #refuseNamed(method: string, params: unknown, use: SessionUse): RpcErrorObject | undefined {
    for (const sessionId of namedSessions(params, acpMethodUses.has(method) ? 'meta' : 'whole')) {
      const access = this.judge(sessionId, use);
      if (access === 'unknown') return unknownSession(sessionId).toObject();
      if (access === 'read-only') return readOnly(method);
    }
    return undefined;
  }

  #add(sessionId: string): void {
    if (this.#begun.size < mostBegun) this.#begun.add(sessionId);
  }
}

/** A session that was begun. */
export interface ClaimedSession {
  readonly cwd: string;
  /** Its agent stores sessions: other connections can name it. */
  readonly isStored: boolean;
}

/** Why a client that only looks is refused. */
export function readOnly(method: string): RpcErrorObject {
  return invalidRequest(`${method}: this token is read-only`).toObject();
}

function administrative(method: string): RpcErrorObject {
  const reason = 'it names no session of this token; only a token of the scope admin may use it';
  return invalidRequest(`${method}: ${reason}`).toObject();
}

function reused(agent: string): RpcErrorObject {
  const message = `the agent ${JSON.stringify(agent)} gave the new session the id of another one; begin it again`;
  return { code: rpcCodes.internalError, message };
}

function refuseUnnamed(params: unknown): RpcErrorObject | undefined {
  const isNamed = typeof params === 'object' && params !== null && 'sessionId' in params;
  return isNamed && typeof params.sessionId === 'string'
    ? undefined
    : invalidParams('sessionId', 'a string').toObject();
}

/** ACP, Subagent Sessions: `subagent_update` announces a session of the one whose update it is. */
function announcedChild(params: unknown): string | undefined {
  if (typeof params !== 'object' || params === null || !('update' in params)) return undefined;
  const { update } = params;
  if (typeof update !== 'object' || update === null || !('sessionUpdate' in update)) return undefined;
  if (update.sessionUpdate !== 'subagent_update' || !('sessionId' in update)) return undefined;
  return typeof update.sessionId === 'string' ? update.sessionId : undefined;
}
