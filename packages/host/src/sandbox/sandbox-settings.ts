/** What a user chooses for an agent: no sandbox, or the mode of one. */
export type SandboxChoice = 'off' | 'workspace' | 'read-only';

/** The choices, from the widest to the strictest. */
export const sandboxChoices: readonly ['off', 'workspace', 'read-only'] = ['off', 'workspace', 'read-only'];

/** No hosts, all hosts, or a list: `host`, `host:port` or `*.host`. */
export type SandboxHosts = 'off' | 'on' | readonly string[];

/** The sandbox settings of an agent in a session. Paths are absolute. */
export interface SandboxSettings {
  readonly mode: Exclude<SandboxChoice, 'off'>;
  /** Writable folders in addition to those of the session; not in the mode `read-only`. */
  readonly write: readonly string[];
  /** The agent's own folders and files, which it may write in every mode. */
  readonly stateDirs: readonly string[];
  /** Readable folders in addition to those of the system, the session and the agent. */
  readonly read: 'all' | readonly string[];
  /** Unreadable paths in addition to those that are never readable. */
  readonly hide: readonly string[];
  /** Parley's own folders, which it may not read. */
  readonly ownState: readonly string[];
  /** Files that must be readable although they are in hidden folders. @default none */
  readonly program?: readonly string[];
  readonly network: SandboxHosts;
  /** Whether commands inside need no permission; not with the whole network. @default false */
  readonly autoApprove?: boolean;
  /** Variables for the agent. Every process in the sandbox can read them. @default none */
  readonly env?: Readonly<Record<string, string>>;
  /** A line on the agent's standard input, before all messages, in place of files that it would read from hidden folders. @default none */
  readonly firstLine?: string;
}

/** The sandbox of a session, as its events say it. */
export interface HeldBy {
  readonly mode: string;
  readonly engine: string;
  /** Present if commands inside need no permission. */
  readonly autoApprove?: boolean;
}

/** The strictest of some choices. @default `off` */
export function strictestChoice(choices: readonly (SandboxChoice | undefined)[]): SandboxChoice {
  return sandboxChoices.findLast((choice) => choices.includes(choice)) ?? 'off';
}
