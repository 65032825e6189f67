import type { McpServer, Meta } from '@parley/acp';
import type { OfferedSettings, SessionOptions } from '@parley/host';
import type { NewSessionMeta } from '@parley/host/hub';
import type { HubWorktree } from '../hub-worktrees.ts';

/** Options of a new session. */
export interface NewSession {
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  readonly meta: NewSessionMeta;
  /** The id of the token that it belongs to. */
  readonly owner: string;
  /** Whether `meta` may name a sandbox that is wider than the configured one. @default false */
  readonly mayWiden?: boolean;
  /** @default none */
  readonly mcpServers?: readonly McpServer[];
  /** How long it may wait for a slot. @default the limit of the pool */
  readonly slotWaitMs?: number;
  /** What the agent receives in the `_meta` of the request that opens it. @default only the trace */
  readonly agentMeta?: Meta;
  /** A worktree that is already open and that the caller disposes of. @default the one that `meta` requests */
  readonly place?: HubWorktree;
}

/** A session that was begun. */
export interface BegunSession extends OfferedSettings {
  readonly key: string;
  /** What the user should know of its worktree. */
  readonly notes?: readonly string[];
}

/** Options of a new session that are not stored. */
export type SessionBeginning = Partial<Pick<SessionOptions, 'runtime'>> &
  Pick<
    SessionOptions,
    | 'additionalDirectories'
    | 'agentSessionId'
    | 'askSignIn'
    | 'delegation'
    | 'interact'
    | 'mcpServers'
    | 'meta'
    | 'onEvent'
    | 'slotWaitMs'
  >;

/** Extracts the options of a new session that are not stored. */
export function toBeginning({
  additionalDirectories,
  mcpServers,
  agentMeta,
  slotWaitMs,
}: NewSession): SessionBeginning {
  return {
    additionalDirectories,
    ...(mcpServers !== undefined && { mcpServers }),
    ...(agentMeta !== undefined && { meta: agentMeta }),
    ...(slotWaitMs !== undefined && { slotWaitMs }),
  };
}
