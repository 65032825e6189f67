export { connectAgent } from './agent/connect-agent.ts';
export { openAgent } from './agent/open-agent.ts';
export type { AgentHandle } from './agent/agent-handle.ts';
export type { AgentOptions, ConnectAgentOptions, OpenAgentOptions } from './agent/agent-options.ts';
export type { ServedResources } from './agent/client-capabilities.ts';
export { HostError } from './host-error.ts';
export type { HostErrorCode, HostErrorDetails } from './host-error.ts';
export type {
  AgentEndEvent,
  AgentStartEvent,
  DecidedBy,
  DiagnosticCode,
  DiagnosticEvent,
  ElicitationEvent,
  ElicitationRequestEvent,
  FileState,
  FileWriteEvent,
  HostEvent,
  PermissionEvent,
  PermissionRequestEvent,
  SessionEndEvent,
  SessionEvent,
  SessionReadyEvent,
  SettingsEvent,
  StderrEvent,
  TerminalEndEvent,
  TerminalStartEvent,
  TurnCancelEvent,
  TurnEndBase,
  TurnEndEvent,
  TurnFailure,
  TurnStartEvent,
  TurnStop,
  UpdateEvent,
} from './host-event.ts';
export type { Interact, InteractOptions, PermissionAnswer } from './interact.ts';
export type { Approve, ApproveLevel, Policy } from './permission/policy.ts';
export { openSession } from './session/open-session.ts';
export type { Settings } from './session/settings.ts';
export type {
  LegacyModel,
  OpenSessionOptions,
  PromptResult,
  Session,
  SignalOptions,
} from './session/session.ts';
