import type { NetworkProxy } from '@parley/workspace';
import type { Sandbox } from '@parley/workspace/sandbox';
import type { AgentClients } from './agent/agent-clients.ts';
import type { TurnCheckpoints } from './changes/turn/turn-checkpoints.ts';
import type { DiagnosticCode, DiagnosticEvent } from './event/diagnostic-event.ts';
import type { EventStore } from './event/event-store.ts';
import type { HostEvent } from './event/host-event.ts';
import type { UpdateEvent } from './event/session-event.ts';
import type { SubagentName } from './event/subagent-name.ts';
import type { Interact } from './interact.ts';
import type { Policy } from './permission/policy.ts';
import type { Answers } from './permission/remembered/answers.ts';
import type { TerminalOutput } from './services/terminal/terminal-output.ts';

/** What all parts that serve one agent have in common. */
export interface HostContext {
  /** What the agent is called here. */
  readonly agentName: string;
  readonly policy: Policy;
  readonly answers: Answers;
  readonly interact: Interact;
  /** Absent when nothing is stored. */
  readonly store?: EventStore;
  /** Absent when the files of the session's folder are not covered. */
  readonly checkpoints?: TurnCheckpoints;
  /** Reports how programs in the sandbox use the network. Absent without a proxy. */
  readonly network?: Pick<NetworkProxy, 'takeReport'>;
  /** Absent when the host serves everything itself. */
  readonly clients?: AgentClients;
  /** The sandbox of the agent and of the files and commands it uses through the client. Absent without one. */
  readonly sandbox?: Sandbox;
  /** The sub-agent that is served. @default the session itself */
  readonly subagent?: SubagentName;
  /** Receives the output of commands. */
  readonly onOutput?: (output: TerminalOutput) => void;
  emit(event: Exclude<HostEvent, UpdateEvent>): void;
  /** A promise makes the agent wait. */
  deliver(update: UpdateEvent): void | Promise<void>;
  diagnose(level: DiagnosticEvent['level'], code: DiagnosticCode, message: string): void;
}
