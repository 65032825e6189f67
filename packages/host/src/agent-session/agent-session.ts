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
import type { SteeringOutcome } from '../event/steering-event.ts';
import type { TurnLimit, TurnLimits } from './turn/turn-time.ts';
import type { TurnUsage } from './turn/turn-usage.ts';

/** Options for opening a session. */
export interface OpenSessionOptions {
  /** An absolute path. */
  readonly cwd: string;
  /** Additional directories that the session may use, absolute. @default none */
  readonly additionalDirectories?: readonly string[];
  /** @default none */
  readonly mcpServers?: readonly McpServer[];
  /** Additional `_meta` of the request. @default only the trace */
  readonly meta?: Meta;
  /**
   * A stored session of the agent, continued with `session/resume`, else with `session/load`, or only in the way that
   * `by` names. @default a new session
   */
  readonly resume?: { readonly sessionId: string; readonly by?: 'resume' | 'load' };
  readonly signal?: AbortSignal;
}

/** A model, in the list format that agents used before config options. */
export interface LegacyModel {
  readonly modelId: string;
  readonly name?: string;
  /** Whether the session uses it. */
  readonly isCurrent?: true;
}

/** The result of a turn. */
export interface PromptResult extends TurnUsage {
  readonly stopReason: StopReason;
  /** The agent's own stop reason, if the stop reason is `unknown`. */
  readonly rawStopReason?: string;
  /** The unmodified response of the agent, `_meta` included; absent if there was no valid one. */
  readonly response?: PromptResponse;
  /** Whether the agent was ended because it did not end a cancelled turn in time. */
  readonly agentEnded?: true;
  /** The limit for which the turn was cancelled. */
  readonly reached?: TurnLimit;
}

/** Options of a request that can be aborted. */
export interface SignalOptions {
  readonly signal?: AbortSignal;
}

/** Options of a turn. */
export interface PromptOptions extends SignalOptions, TurnLimits {
  /** Identifies the prompt in the events of its turn. @default none */
  readonly promptId?: string;
  /** The sender of the prompt, for the events of its turn. @default the only user */
  readonly from?: Sender;
  /** Additional `_meta` of the prompt. @default only the trace */
  readonly meta?: Meta;
  /** The trace of the turn, which the agent receives in the `_meta` of the prompt. @default the session's trace */
  readonly trace?: TraceContext;
}

/** Identifies text that is sent into a turn, and its sender. */
export interface SteerOptions extends Pick<PromptOptions, 'promptId' | 'from'> {
  /** Called right before the text is sent. If it returns false, nothing is sent and the outcome is `queued`. */
  readonly isWanted?: () => boolean;
}

/** Options for cancelling a turn. */
export interface CancelOptions {
  /** Grace period for the agent to end the turn. @default 5000 */
  readonly graceMs?: number;
  /** A limit was reached: it answers the open questions. @default a user cancels */
  readonly isForLimit?: true;
}

/** An open session of an agent. */
export interface AgentSession extends AsyncDisposable {
  readonly id: string;
  readonly cwd: string;
  /** The agent's unmodified response that opened the session, if known. */
  readonly opened?: object;
  /** The latest modes that the agent reported. */
  readonly modes: SessionModeState | undefined;
  readonly configOptions: readonly SessionConfigOption[] | undefined;
  readonly models: readonly LegacyModel[] | undefined;
  /**
   * Runs one turn. Aborting the signal, or reaching a limit, cancels it; a `turn-timeout` event then reports what the
   * turn was waiting for. The result of a cancelled turn is `cancelled`, not an error.
   */
  prompt(blocks: readonly ContentBlock[], options?: PromptOptions): Promise<PromptResult>;
  /** Whether the agent supports steering: it accepts text during a running turn. */
  readonly takesSteering: boolean;
  /**
   * Sends text into the running turn, if the agent supports that. With the outcome `queued`, the agent received
   * nothing and has to be prompted. The text is never sent twice.
   */
  steer(blocks: readonly ContentBlock[], options?: SteerOptions): Promise<SteeringOutcome>;
  /**
   * Cancels the running turn, and sub-agents that allow it: open questions are answered with `cancelled`, the request itself is cancelled near the
   * end of the grace period, and at its end the agent is ended if it has not ended the turn. A second call can
   * shorten the grace period.
   *
   * @returns when the turn has ended
   */
  cancel(options?: CancelOptions): Promise<void>;
  /** Whether sub-agents are working, according to their last report: they may continue after the turn has ended. */
  readonly hasWorkingSubagents: boolean;
  /** Whether a sub-agent that is not idle can be cancelled and has not been, also one whose state is not known. */
  readonly mayCancelSubagents: boolean;
  /** Settles when no sub-agent works any more, the session has ended, or the signal is aborted. Never rejects. */
  subagentsSettled(options?: SignalOptions): Promise<void>;
  /**
   * Cancels the work of one sub-agent, and of those below it.
   *
   * @throws {HostError} `not-supported`: the agent does not allow it now.
   */
  cancelSubagent(sessionId: string): void;
  setMode(modeId: string, options?: SignalOptions): Promise<void>;
  setModel(model: string, options?: SignalOptions): Promise<void>;
  setOption(id: string, value: string | boolean, options?: SignalOptions): Promise<void>;
  /**
   * Cancels a running turn, closes the session on the agent if it supports that, and ends the session's terminals.
   */
  close(): Promise<void>;
}
