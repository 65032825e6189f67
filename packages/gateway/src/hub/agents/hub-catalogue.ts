import type { AgentSpec } from '@parley/host';
import type { HubAgent, NewAgent, RouteProviderParams } from '@parley/host/hub';

/** A listed agent, and how to start it. */
export interface ListedAgent extends Omit<HubAgent, 'isDefault' | 'signIn' | 'card' | 'installing'> {
  /** Absent if the agent cannot be started: it is `available`. */
  readonly spec?: AgentSpec;
  /** The mode in which it asks before it acts. */
  readonly askMode?: string;
}

/** The source of a hub's agents, which can be installed, added and removed while it runs. */
export interface HubCatalogue {
  /** Returns the current agents. If it rejects, the hub keeps the previous ones. */
  find(): Promise<readonly ListedAgent[]>;
  /**
   * Installs the package of an agent that is `available`.
   *
   * @throws {HostError} Why the installation failed.
   */
  install(name: string, options: InstallAgentOptions): Promise<void>;
  /** Adds an agent to the user's configuration. @throws {RpcError} -32602: it is invalid, or its name is in use. */
  add(agent: NewAgent): Promise<void>;
  /**
   * Removes an agent from the user's configuration. @throws {RpcError} -32602: the configuration does not contain it.
   */
  remove(name: string): Promise<void>;
  /** Changes the providers of an agent in the user's configuration. @throws {RpcError} -32602: the route is invalid. */
  routeProvider(params: RouteProviderParams): Promise<void>;
}

/** Progress and cancellation of an installation. */
export interface InstallAgentOptions {
  /** Called with the number of downloaded files. */
  readonly onProgress: (fetched: number) => void;
  readonly signal: AbortSignal;
}
