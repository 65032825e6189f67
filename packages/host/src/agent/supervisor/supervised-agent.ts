import type { Clock } from '@parley/wire';
import type { OpenSessionOptions, AgentSession, SignalOptions } from '../../agent-session/agent-session.ts';
import type { AgentConnection } from '../agent-connection.ts';
import type { AgentOptions } from '../agent-options.ts';
import type { RestartOptions } from './back-off.ts';

/** What every start of a supervised agent is given. */
export type StartOptions = Pick<AgentOptions, 'onEvent' | 'signal'>;

/** An agent that is to be kept alive. */
export interface SuperviseOptions {
  /** Starts it, at first and again: `openAgent` or `connectAgent` with these options and all the others. */
  readonly open: (options: StartOptions) => Promise<AgentConnection>;
  /** As in `AgentOptions`; it receives what happens to each agent that is started, and of each step between them. */
  readonly onEvent: AgentOptions['onEvent'];
  readonly restart?: RestartOptions;
  /**
   * Lets the user sign in when the agent refuses a prompt for want of that; returns whether the user did. The prompt is then
   * sent once more. @default not possible
   */
  readonly signIn?: (signal: AbortSignal) => Promise<boolean>;
  /** Aborts the first start. */
  readonly signal?: AbortSignal;
  /** @default the machine's own time */
  readonly clock?: Clock;
}

/** Where a supervised agent stands. */
export type AgentState = 'starting' | 'ready' | 'stopping' | 'closed' | 'failed';

/** An agent that is started again when it ends by itself, and goes on with the sessions it had. */
export interface SupervisedAgent extends AsyncDisposable {
  readonly state: AgentState;
  /** The agent as it was started last. */
  readonly connection: AgentConnection;
  /** See `openSession`. A prompt waits until an agent that is being started again is there. */
  openSession(options: OpenSessionOptions): Promise<AgentSession>;
  /**
   * Ends the agent, starts it again at once, and goes on with its sessions: for what an agent looks at only when it
   * starts. It is no attempt that counts.
   *
   * @throws {HostError} It was not there any more, or could not be started again.
   */
  renew(options?: SignalOptions): Promise<void>;
  /** Ends it for good. Never rejects. */
  end(): Promise<void>;
}
