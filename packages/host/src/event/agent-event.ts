import type { AgentCapabilities, Implementation } from '@parley/acp';

/** The agent was started, or reached, and is asked to initialize. */
export interface AgentStartingEvent {
  readonly type: 'agent-starting';
  readonly agent: string;
  /** Of its process, if it has one. */
  readonly pid?: number;
  /** How long it may take to answer. */
  readonly limitMs: number;
}

/** The agent answered `initialize`. */
export interface AgentStartEvent {
  readonly type: 'agent-start';
  /** What we call it. */
  readonly agent: string;
  /** What it says it is. */
  readonly info?: Implementation;
  readonly protocolVersion: number;
  readonly capabilities: AgentCapabilities;
}

/** The agent is gone: its process, or without one its connection. */
export interface AgentEndEvent {
  readonly type: 'agent-end';
  /** Whether this side wanted it. */
  readonly expected: boolean;
  readonly exitCode?: number;
  readonly signal?: string;
}

/** A supervised agent has ended by itself and is about to be started again. */
export interface AgentRestartEvent {
  readonly type: 'agent-restart';
  readonly agent: string;
  /** From 1. */
  readonly attempt: number;
  /** How many there will be at most. */
  readonly attempts: number;
  readonly delayMs: number;
}

/** A supervised agent has ended too often, or could not be started again. */
export interface AgentFailedEvent {
  readonly type: 'agent-given-up';
  readonly agent: string;
  readonly attempts: number;
  readonly message: string;
}

/** Text the agent wrote to standard error. */
export interface StderrEvent {
  readonly type: 'stderr';
  readonly text: string;
}
