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
  SessionPhaseEvent,
  SettingsEvent,
  UpdateEvent,
} from './session-event.ts';
import type { TurnCancelEvent, TurnEndEvent, TurnStartEvent, TurnTimeoutEvent } from './turn-event.ts';

/** Something a user or a script may want to see, in the order it happened. */
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
  | SessionPhaseEvent
  | SettingsEvent
  | TurnStartEvent
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
  | DiagnosticEvent
  | StderrEvent;
