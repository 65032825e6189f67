import type { AgentCapabilities, Implementation } from '@parley/acp';

/** The agent was started or connected, and `initialize` was sent. */
export interface AgentStartingEvent {
  readonly type: 'agent-starting';
  readonly agent: string;
  /** The id of its process, if it has one. */
  readonly pid?: number;
  /** Time limit for its response. */
  readonly limitMs: number;
}

/** The agent answered `initialize`. */
export interface AgentStartEvent {
  readonly type: 'agent-start';
  /** The configured name. */
  readonly agent: string;
  /** The agent's description of itself. */
  readonly info?: Implementation;
  readonly protocolVersion: number;
  readonly capabilities: AgentCapabilities;
  /** Whether the agent supports steering. */
  readonly steering?: true;
}

/** The agent has ended: its process, or else its connection. */
export interface AgentEndEvent {
  readonly type: 'agent-end';
  /** Whether this side ended it. */
  readonly expected: boolean;
  readonly exitCode?: number;
  readonly signal?: string;
}

/** A supervised agent has exited and is about to be restarted. */
export interface AgentRestartEvent {
  readonly type: 'agent-restart';
  readonly agent: string;
  /** From 1. */
  readonly attempt: number;
  /** Maximum number of attempts. */
  readonly attempts: number;
  readonly delayMs: number;
}

/** A supervised agent has exited too often, or could not be restarted. */
export interface AgentFailedEvent {
  readonly type: 'agent-given-up';
  readonly agent: string;
  readonly attempts: number;
  readonly message: string;
}

/** Text of the agent's standard error. */
export interface StderrEvent {
  readonly type: 'stderr';
  readonly text: string;
}
