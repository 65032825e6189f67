import type { McpServer, Meta } from '@parley/acp';
import type { OfferedSettings, SessionOptions } from '@parley/host';
import type { NewSessionMeta } from '@parley/host/hub';

/** What a new session is to be. */
export interface NewSession {
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  readonly meta: NewSessionMeta;
  /** The id of the token that it belongs to. */
  readonly owner: string;
  /** @default none */
  readonly mcpServers?: readonly McpServer[];
  /** How long it may wait for a slot. @default as long as the pool says */
  readonly slotWaitMs?: number;
  /** What the agent receives in the `_meta` of the request that opens it. @default only the trace */
  readonly agentMeta?: Meta;
}

/** A session that was begun. */
export interface BegunSession extends OfferedSettings {
  readonly key: string;
  /** What the user should know of its worktree. */
  readonly notes?: readonly string[];
}

/** What a session begins with that is not kept. */
export type SessionBeginning = Pick<
  SessionOptions,
  'additionalDirectories' | 'agentSessionId' | 'mcpServers' | 'slotWaitMs' | 'meta'
>;
