export { connectAgent } from './agent/connect-agent.ts';
export { openAgent } from './agent/open-agent.ts';
export type { AgentHandle } from './agent/agent-handle.ts';
export type { AgentOptions, ConnectAgentOptions, OpenAgentOptions } from './agent/agent-options.ts';
export type { ServedResources } from './agent/client-capabilities.ts';
export { HostError } from './host-error.ts';
export type { HostErrorCode, HostErrorDetails } from './host-error.ts';
export type {
  DecidedBy,
  DiagnosticCode,
  DiagnosticEvent,
  ElicitationEvent,
  HostEvent,
  PermissionEvent,
  SessionEvent,
  StderrEvent,
  UpdateEvent,
} from './host-event.ts';
export type { Interact, InteractOptions, PermissionAnswer } from './interact.ts';
export type { Approve, ApproveLevel, Policy } from './permission/policy.ts';
export { openSession } from './session/open-session.ts';
export type {
  LegacyModel,
  OpenSessionOptions,
  PromptResult,
  Session,
  SignalOptions,
} from './session/session.ts';
