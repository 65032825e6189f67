import type { Clock } from '@parley/wire';
import type { OpenSessionOptions, AgentSession, SignalOptions } from '../../agent-session/agent-session.ts';
import type { AgentConnection } from '../agent-connection.ts';
import type { AgentOptions } from '../agent-options.ts';
import type { RestartOptions } from './back-off.ts';

/** Options that every start of a supervised agent receives. */
export type StartOptions = Pick<AgentOptions, 'onEvent' | 'signal'>;

/** Options of a supervised agent. */
export interface SuperviseOptions {
  /** Starts the agent, also after each exit: `openAgent` or `connectAgent` with these options and all others. */
  readonly open: (options: StartOptions) => Promise<AgentConnection>;
  /** Like `AgentOptions.onEvent`; receives the events of each started agent and of the supervisor. */
  readonly onEvent: AgentOptions['onEvent'];
  readonly restart?: RestartOptions;
  /**
   * Lets the user sign in if the agent rejects a prompt without a sign-in; returns whether the user did. The prompt
   * is then sent once more. @default sign-in is not possible
   */
  readonly signIn?: (signal: AbortSignal) => Promise<boolean>;
  /** Aborts the first start. */
  readonly signal?: AbortSignal;
  /** @default the system's clock */
  readonly clock?: Clock;
}

/** The state of a supervised agent. */
export type AgentState = 'starting' | 'ready' | 'stopping' | 'closed' | 'failed';

/** An agent that is restarted when it exits, and continues its sessions. */
export interface SupervisedAgent extends AsyncDisposable {
  readonly state: AgentState;
  /** The connection to the current process. */
  readonly connection: AgentConnection;
  /** See `openSession`. Prompts wait while the agent is being restarted. */
  openSession(options: OpenSessionOptions): Promise<AgentSession>;
  /**
   * Restarts the agent and continues its sessions, for changes that an agent reads only when it starts. Does not
   * count as an attempt.
   *
   * @throws {HostError} The agent had ended, or could not be restarted.
   */
  renew(options?: SignalOptions): Promise<void>;
  /** Ends the agent permanently. Never rejects. */
  end(): Promise<void>;
}
