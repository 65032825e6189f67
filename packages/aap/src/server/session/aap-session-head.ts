import type { SessionInfo, SessionStatus } from '../../endpoint.ts';
import type { ToolSpec } from '../../tool.ts';
import { toShownConfig, type StoredConfig } from '../config/stored-config.ts';
import type { AapSessionState } from './aap-session-state.ts';
import type { Idempotency } from './idempotency.ts';

/** What lists know of a session. */
export interface AapSessionHead {
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly status: SessionStatus;
  readonly title?: string;
  readonly agent: StoredConfig;
  readonly tools?: readonly ToolSpec[];
  readonly tenant?: string;
  readonly idempotency?: Idempotency;
}

/** What lists are to know of a session from now on. */
export function toHead(state: AapSessionState): AapSessionHead {
  const { createdAt, updatedAt, title, agent, tools, tenant, idempotency } = state;
  return {
    createdAt,
    updatedAt,
    status: statusOf(state),
    ...(title !== undefined && { title }),
    agent,
    ...(tools !== undefined && { tools }),
    ...(tenant !== undefined && { tenant }),
    ...(idempotency !== undefined && { idempotency }),
  };
}

/** A head out of a store, or undefined for what is none. */
export function parseHead(value: unknown): AapSessionHead | undefined {
  if (typeof value !== 'object' || value === null || !('createdAt' in value)) return undefined;
  // oxlint-disable-next-line typescript/consistent-type-assertions -- the store gives back what we gave it
  return value as AapSessionHead;
}

/** A session as applications see it. */
export function toSessionInfo(sessionId: string, head: AapSessionHead): SessionInfo {
  const { agent, tools, title, createdAt, updatedAt, status } = head;
  return {
    sessionId,
    agent: toShownConfig(agent),
    ...(tools !== undefined && tools.length > 0 && { tools }),
    title: title ?? null,
    createdAt,
    updatedAt,
    status,
  };
}

function statusOf(state: AapSessionState): SessionStatus {
  if (state.running !== undefined) return 'running';
  return state.waitingCalls.length > 0 ? 'waiting' : 'idle';
}
