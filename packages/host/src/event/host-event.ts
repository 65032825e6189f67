import type {
  AgentEndEvent,
  AgentFailedEvent,
  AgentRestartEvent,
  AgentStartEvent,
  AgentStartingEvent,
  StderrEvent,
} from './agent-event.ts';
import type { ChangesEvent } from './changes-event.ts';
import type { DiagnosticEvent } from './diagnostic-event.ts';
import type { NetworkEvent } from './network-event.ts';
import type {
  ElicitationEvent,
  ElicitationRequestEvent,
  PermissionEvent,
  PermissionRequestEvent,
} from './question-event.ts';
import type { FileWriteEvent, TerminalEndEvent, TerminalStartEvent } from './resource-event.ts';
import type {
  SessionEndEvent,
  SessionEvent,
  SessionNotOpenedEvent,
  SessionOpeningEvent,
  SessionReadyEvent,
  SessionRecoveredEvent,
  SessionLostEvent,
  SettingsEvent,
  UpdateEvent,
} from './session-event.ts';
import type { SteeringEvent, SteeringRequestEvent } from './steering-event.ts';
import type { TurnCancelEvent, TurnEndEvent, TurnStartEvent, TurnTimeoutEvent } from './turn-event.ts';

/** Events for users and scripts, in order. */
export type HostEvent =
  | AgentStartingEvent
  | AgentStartEvent
  | AgentEndEvent
  | AgentRestartEvent
  | AgentFailedEvent
  | SessionOpeningEvent
  | SessionNotOpenedEvent
  | SessionEvent
  | SessionReadyEvent
  | SessionEndEvent
  | SessionRecoveredEvent
  | SessionLostEvent
  | SettingsEvent
  | TurnStartEvent
  | SteeringRequestEvent
  | SteeringEvent
  | TurnTimeoutEvent
  | TurnCancelEvent
  | ChangesEvent
  | TurnEndEvent
  | UpdateEvent
  | PermissionRequestEvent
  | PermissionEvent
  | ElicitationRequestEvent
  | ElicitationEvent
  | FileWriteEvent
  | TerminalStartEvent
  | TerminalEndEvent
  | NetworkEvent
  | DiagnosticEvent
  | StderrEvent;
