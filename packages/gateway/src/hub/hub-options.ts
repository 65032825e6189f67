import type { DelegationLimits, Sender, SessionRuntime, SharedEventLogs } from '@parley/host';
import type { ListPlace } from '@parley/workspace';
import type { HubLimits } from '../limits.ts';
import type { HubCatalogue, ListedAgent } from './agents/hub-catalogue.ts';
import type { HubModels } from './agents/hub-models.ts';
import type { ApplicationSessions } from './application-sessions.ts';
import type { HubWorktrees } from './hub-worktrees.ts';
import type { HubReplicasOptions } from './replicas/hub-replicas.ts';

/** The agents that sessions of a folder may delegate to. */
export interface TeamSettings extends Partial<DelegationLimits> {
  readonly agents: readonly string[];
}

/** Options of a hub. */
export interface HubOptions extends SessionRuntime {
  /** The event logs; recorded frames are files in the session's folder. */
  readonly eventLogs: SharedEventLogs;
  /** The agents that are known at the start. */
  readonly agents: readonly ListedAgent[];
  /** Finds agents that are installed or added later. @default the agents do not change */
  readonly catalogue?: HubCatalogue;
  /** The name of the agent to use if none is named. */
  readonly defaultAgent: string;
  /** The directories that sessions may use, as real paths; the first is the default. */
  readonly workspaces: readonly [string, ...string[]];
  /** @default sessions cannot use worktrees */
  readonly worktrees?: HubWorktrees;
  /** The agents that sessions of a folder may delegate to. @default none, unless a client chooses */
  readonly teamIn?: (cwd: string) => TeamSettings | undefined | Promise<TeamSettings | undefined>;
  /** Exports a session without secrets. @default sessions cannot be exported */
  readonly exportSession?: (key: string, format: 'markdown' | 'json') => Promise<string>;
  /** Allowed hosts for MCP servers of clients. @default none; public hosts for tokens of the scope `admin` */
  readonly mcpHosts?: readonly string[];
  /** The AAP sessions. @default only stored AAP sessions are displayed */
  readonly applications?: ApplicationSessions;
  /** Where the marks of sessions are stored. @default they end with the server */
  readonly marksFile?: ListPlace;
  /** @default models cannot be connected */
  readonly models?: HubModels;
  /** The processes that serve the same sessions. @default this one alone */
  readonly replicas?: HubReplicasOptions;
  /** A client is disconnected, because it leaves too much unread. */
  readonly onDropped?: (client: Sender, reason: string) => void;
  readonly limits?: Partial<HubLimits>;
}
