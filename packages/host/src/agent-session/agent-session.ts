import type {
  ContentBlock,
  McpServer,
  Meta,
  PromptResponse,
  SessionConfigOption,
  SessionModeState,
  StopReason,
  TraceContext,
} from '@parley/acp';
import type { Sender } from '../event/sender.ts';
import type { TurnLimit, TurnLimits } from './turn/turn-time.ts';
import type { TurnUsage } from './turn/turn-usage.ts';

/** Which session, and where. */
export interface OpenSessionOptions {
  /** An absolute path. */
  readonly cwd: string;
  /** Further directories the session may use, absolute. @default none */
  readonly additionalDirectories?: readonly string[];
  /** @default none */
  readonly mcpServers?: readonly McpServer[];
  /** What the agent receives in the `_meta` of the request. @default only the trace */
  readonly meta?: Meta;
  /**
   * A session that the agent keeps: continued with `session/resume`, else with `session/load`, or only in the way that
   * `by` says. @default a new one
   */
  readonly resume?: { readonly sessionId: string; readonly by?: 'resume' | 'load' };
  readonly signal?: AbortSignal;
}

/** A model, as agents listed them before there were config options. */
export interface LegacyModel {
  readonly modelId: string;
  readonly name?: string;
  /** It is the one the session has. */
  readonly isCurrent?: true;
}

/** How a turn ended. */
export interface PromptResult extends TurnUsage {
  readonly stopReason: StopReason;
  /** What the agent called it, where the stop reason is `unknown`. */
  readonly rawStopReason?: string;
  /** The agent's response as it came, `_meta` included; absent where it gave none that counts. */
  readonly response?: PromptResponse;
  /** The turn was cancelled, the agent did not end it in time, and was ended. */
  readonly agentEnded?: true;
  /** The turn was cancelled because it reached this limit. */
  readonly reached?: TurnLimit;
}

/** How long something is wanted. */
export interface SignalOptions {
  readonly signal?: AbortSignal;
}

/** How a turn is begun, and how long it may take. */
export interface PromptOptions extends SignalOptions, TurnLimits {
  /** Identifies the prompt in the events of its turn. @default it is not named */
  readonly promptId?: string;
  /** Whose prompt it is, for the events of its turn. @default that of the only user */
  readonly from?: Sender;
  /** What the agent receives in the `_meta` of the prompt. @default only the trace */
  readonly meta?: Meta;
  /** The trace that the turn is part of; the agent gets it in the `_meta` of the prompt. @default the session's */
  readonly trace?: TraceContext;
}

/** How a turn is cancelled. */
export interface CancelOptions {
  /** How long the agent may take to end the turn. @default 5000 */
  readonly graceMs?: number;
}

/** A conversation with an agent. */
export interface AgentSession extends AsyncDisposable {
  readonly id: string;
  readonly cwd: string;
  /** The agent's response to the request that opened it, as it came. @default it is not known here */
  readonly opened?: object;
  /** As the agent reported last. */
  readonly modes: SessionModeState | undefined;
  readonly configOptions: readonly SessionConfigOption[] | undefined;
  readonly models: readonly LegacyModel[] | undefined;
  /**
   * Runs one turn. Aborting the signal is `cancel()`, and so is a limit that is reached, after a `turn-timeout` that says
   * what the turn waits for; the result is then `cancelled`, not an error.
   */
  prompt(blocks: readonly ContentBlock[], options?: PromptOptions): Promise<PromptResult>;
  /**
   * Cancels the running turn: open questions are answered `cancelled` at once, the request itself is cancelled towards the
   * end of the grace, and an agent that has not ended the turn after it is ended. A second call with a shorter grace
   * shortens it.
   *
   * @returns when the turn has ended
   */
  cancel(options?: CancelOptions): Promise<void>;
  setMode(modeId: string, options?: SignalOptions): Promise<void>;
  setModel(model: string, options?: SignalOptions): Promise<void>;
  setOption(id: string, value: string | boolean, options?: SignalOptions): Promise<void>;
  /** Cancels a running turn, notifies the agent where it supports that, and ends the session's terminals. */
  close(): Promise<void>;
}
