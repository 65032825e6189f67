/** What the operating system holds an agent to. All paths are absolute. */
export interface SandboxPlan {
  /** `read-only`: the session's folders cannot be written, and `write` is ignored. */
  readonly mode: SandboxMode;
  /** The session's folders. The protected names in them cannot be written (see `protected-names.ts`). */
  readonly folders: readonly string[];
  /** The agent's own state: files and folders that it writes in both modes. Missing ones are created as folders. */
  readonly stateDirs: readonly string[];
  /** Other folders that can be written in mode `workspace`. */
  readonly write: readonly string[];
  /** What can be read, in addition to the system's own folders, `program` and what can be written. */
  readonly read: 'all' | readonly string[];
  /** Files and folders of the agent's program: can be read, also inside hidden folders and `/tmp`, as the folders of `PATH`. */
  readonly program: readonly string[];
  /** Cannot be read, in addition to keys in the home folder. A folder of the plan inside a hidden one stays visible. */
  readonly hide: readonly string[];
  /** Parley's own folders: hidden like `hide`. */
  readonly ownState: readonly string[];
  readonly network: SandboxNetwork;
  /** A Unix socket outside, on which Parley serves tools: it can be reached with every network. @default none */
  readonly toolSocket?: string;
}

export type SandboxMode = 'workspace' | 'read-only';

/** `on` is the network of the machine; otherwise there is only a loopback interface of the sandbox's own. */
export type SandboxNetwork = 'off' | 'on' | SandboxRelay;

/** Connects a sandbox without a network to a proxy outside. */
export interface SandboxRelay {
  /** The Unix socket of the proxy, outside. Inside it is `relaySocketPath`. */
  readonly socket: string;
  /** The hosts that the proxy allows. */
  readonly hosts: readonly string[];
}

/** Where the socket of the proxy is inside the sandbox. */
export const relaySocketPath = '/run/parley/proxy.sock';

/** Where the socket for tools is inside the sandbox. */
export const toolSocketPath = '/run/parley/tools.sock';
