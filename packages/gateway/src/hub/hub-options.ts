import type { AgentSpec, SessionRuntime, SharedEventLogs } from '@parley/host';
import type { HubAgent } from '@parley/host/hub';
import type { HubLimits } from '../limits.ts';
import type { ApplicationSessions } from './application-sessions.ts';
import type { HubWorktrees } from './hub-worktrees.ts';

/** An agent as lists show it, and how it is reached. */
export interface ListedAgent extends Omit<HubAgent, 'isDefault' | 'signIn' | 'card'> {
  /** @default it cannot be started: it is `available` */
  readonly spec?: AgentSpec;
}

/** What a hub is made of. */
export interface HubOptions extends SessionRuntime {
  /** As of every `SessionRuntime`; recorded frames are files in the session's folder. */
  readonly eventLogs: SharedEventLogs;
  readonly agents: readonly ListedAgent[];
  /** The name of the one that is meant where none is named. */
  readonly defaultAgent: string;
  /** The directories that sessions may use, by their real paths; the first is the default. */
  readonly workspaces: readonly [string, ...string[]];
  /** @default no session works in a worktree */
  readonly worktrees?: HubWorktrees;
  /** Writes a session for others to read, without secrets. @default sessions are not exported */
  readonly exportSession?: (key: string, format: 'markdown' | 'json') => Promise<string>;
  /** Hosts of MCP servers that clients may bring along. @default none, but public ones for tokens of the scope `admin` */
  readonly mcpHosts?: readonly string[];
  /** Sessions that were begun over AAP. @default they are only stored */
  readonly applications?: ApplicationSessions;
  readonly limits?: Partial<HubLimits>;
}
