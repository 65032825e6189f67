/**
 * Methods for agents, and for the models of Parley's own agent. All except `find` require a token with the scope
 * `admin`.
 */
export const agentMethods = {
  /** Request, no params: finds agents that were installed, added or removed; changes are sent as `update`. */
  find: '_parley/agents/find',
  /** Request, {@link AgentParams}: installs the package of an agent; settles when it is installed. */
  install: '_parley/agents/install',
  /** Request, {@link AgentParams}: cancels an installation. */
  cancelInstall: '_parley/agents/cancel_install',
  /** Request, {@link NewAgent}: adds an agent to the user's configuration. */
  add: '_parley/agents/add',
  /** Request, {@link AgentParams}: removes an agent from the user's configuration. */
  remove: '_parley/agents/remove',
  /** Request, {@link RouteProviderParams}: changes the providers of an agent in the user's configuration. */
  routeProvider: '_parley/agents/route_provider',
  /** Request, {@link SignInParams}. */
  signIn: '_parley/sign_in',
  /**
   * Request, {@link SignInTerminalParams}: runs the sign-in command of an agent; returns a {@link
   * SignInTerminalOpened}. The command ends with the connection.
   */
  openSignIn: '_parley/agents/open_sign_in',
  /** Request, {@link SignInInput}. */
  typeSignIn: '_parley/agents/type_sign_in',
  /** Request, {@link SignInTerminalOpened}: ends the command. */
  closeSignIn: '_parley/agents/close_sign_in',
  /** Notification to the client, a {@link SignInOutput}. */
  signInOutput: '_parley/agents/sign_in_output',
  /** Request, no params: returns the model providers of Parley's own agent, a {@link ModelProviders}. */
  models: '_parley/models/list',
  /**
   * Request, {@link ConnectModelParams}: tests a provider with one request, and stores its key; returns a {@link
   * ModelProviders}.
   */
  connectModel: '_parley/models/connect',
  /** Request, {@link ModelProviderParams}: removes a stored key; returns a {@link ModelProviders}. */
  disconnectModel: '_parley/models/disconnect',
} as const;

/** Identifies an agent. */
export interface AgentParams {
  readonly agent: string;
}

/** A custom agent: a command that speaks ACP on its standard input and output. */
export interface NewAgent {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Where an agent reaches one of its model providers, from its next start on. */
export interface RouteProviderParams extends AgentParams {
  readonly providerId: string;
  /** @default the agent decides: what the configuration says is removed */
  readonly route?: 'disabled' | ProviderAddress;
}

/** An API at an address. Headers, which have keys, are set in the configuration only. */
export interface ProviderAddress {
  /** The name of the API in ACP: `anthropic`, `openai`, … */
  readonly apiType: string;
  readonly baseUrl: string;
}

/** Signs in to an agent outside of a session. */
export interface SignInParams extends AgentParams {
  readonly methodId: string;
  readonly values?: Readonly<Record<string, string>>;
}

/** The sign-in method to run in a terminal. */
export interface SignInTerminalParams extends AgentParams {
  readonly methodId: string;
}

/** A running sign-in command. */
export interface SignInTerminalOpened {
  readonly terminalId: string;
}

/** Input of a user for a sign-in command. Never stored. */
export interface SignInInput extends SignInTerminalOpened {
  readonly text: string;
}

/** Output of a sign-in command, or its end. */
export interface SignInOutput extends SignInTerminalOpened {
  readonly text: string;
  readonly ended?: { readonly exitCode?: number; readonly signal?: string };
}

/** The model providers of Parley's own agent. */
export interface ModelProviders {
  /** Where keys are stored: in the system's keychain, or in a file that only its owner can read. */
  readonly store: 'keychain' | 'file';
  readonly providers: readonly ModelProvider[];
}

/** A model provider, without its key. */
export interface ModelProvider {
  readonly id: string;
  /** The initial model of new sessions. */
  readonly model?: string;
  readonly baseUrl?: string;
  /** The source of its key: variables of the server, or the stored key. @default it is not connected */
  readonly from?: 'environment' | 'stored';
}

/** Identifies a model provider. */
export interface ModelProviderParams {
  readonly provider: string;
}

/** The settings of a model provider. */
export interface ConnectModelParams extends ModelProviderParams {
  /** @default none: some providers, such as local ones, need no key */
  readonly key?: string;
  /** @default the provider's default URL */
  readonly baseUrl?: string;
  /** @default the provider's default model */
  readonly model?: string;
}
