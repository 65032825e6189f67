import type { Implementation } from '@parley/acp';
import type { FilesStore, HostEvent, Policy, RestartOptions, ServedResources } from '@parley/host';
import type { HubAgent } from '@parley/host/hub';
import type { AgentAccess } from '../bridge/bridge-options.ts';
import type { HubLimits } from '../limits.ts';
import type { AgentPool } from '../pool/agent-pool.ts';
import type { FrameRedactor } from './frame-log.ts';

/** An agent, as lists show it, and how it is started. */
export interface HubAgentSource extends Omit<HubAgent, 'isDefault' | 'signIn' | 'card'> {
  /** @default it cannot be started: it is `available` */
  readonly access?: AgentAccess;
  /** What it may reach through the hub. @default files, terminals and questions */
  readonly serves?: ServedResources;
  /** How long its start may take, when that is not what agents usually need. */
  readonly startTimeoutMs?: number;
  /** Secrets besides the values of variables, such as what we sign in to it with. @default none */
  readonly secrets?: readonly string[];
}

/** What a hub is made of. */
export interface HubOptions {
  readonly agents: readonly HubAgentSource[];
  /** The name of the one that is meant where none is named. */
  readonly defaultAgent: string;
  /** The directories that sessions may use, by their real paths; the first is the default. */
  readonly workspaces: readonly [string, ...string[]];
  /** Where sessions are stored, those of other programs too, and the program that event logs of the hub name. */
  readonly eventLogs: { readonly store: FilesStore; readonly program: string };
  /** Where lasting answers are kept. @default only as long as the agent runs */
  readonly answersFile?: string;
  /** What decides about permissions in a folder before somebody is asked. */
  readonly policyFor: (cwd: string) => Policy | Promise<Policy>;
  readonly pool: AgentPool;
  /** What agents are told about the program they talk to, and clients about the hub. */
  readonly info: Implementation;
  readonly startTimeoutMs?: number;
  readonly openTimeoutMs?: number;
  readonly requestTimeoutMs?: number;
  readonly restart?: RestartOptions;
  /** Takes secrets out of frames before anybody sees them, beside those that are known here. @default only those */
  readonly redactFrames?: (agent: HubAgentSource) => FrameRedactor;
  /** Writes a session for others to read, without secrets. @default sessions are not exported */
  readonly exportSession?: (key: string, format: 'markdown' | 'json') => Promise<string>;
  readonly limits?: Partial<HubLimits>;
  /** Sees what happens with the agents, in order, for logs. */
  readonly onEvent?: (event: HostEvent, place: HubPlace) => void;
  /** A fault of ours. @default nothing is said */
  readonly onFault?: (error: unknown) => void;
}

/** Where something happened. */
export interface HubPlace {
  readonly agent: string;
  /** The session's key. */
  readonly sessionId: string;
}
