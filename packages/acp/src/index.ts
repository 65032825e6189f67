export { Invalid } from '@parley/wire';
export { acpCodes, AcpError, type AcpErrorCode, type AcpErrorOptions } from './acp-error.ts';
export { isAbsolutePath } from './absolute-path.ts';
export type { AcpDiagnostic, AcpDiagnosticCode } from './diagnostic.ts';
export {
  type Extension,
  type ExtensionName,
  type Extensions,
  type OtherExtensions,
  isExtensionName,
} from './extension.ts';
export { metaOf, type Meta } from './meta.ts';
export { type FormOption, type FormQuestion, readQuestionForm, toQuestionForm } from './question-form.ts';
export {
  authRequired,
  invalidParams,
  invalidRequest,
  methodNotFound,
  resourceNotFound,
  unknownSession,
} from './refusal.ts';
export { parseSessionUpdate } from './schema/v1/parsers.ts';
export { agentRequests, clientNotifications, clientRequests } from './schema/v1/methods.ts';
// The one `export *`: the generated file lists each of its names.
export * from './schema/v1/stable.ts';
export { type TraceContext, traceContextOf, withoutTraceContext, withTraceContext } from './trace-context.ts';
export { protocolVersion } from './v1/initialize.ts';
export type { InitializeOptions } from './v1/client/client-options.ts';
export { mayCancelAfter } from './v1/client/may-cancel.ts';
export type { CallOptions } from './v1/peer.ts';
export type { SideConnectOptions } from './v1/side-options.ts';
export {
  type Agent,
  type AgentConnection,
  type AgentContext,
  type AgentHandlers,
  type AgentNotificationContext,
  type AgentOptions,
  type AgentPeer,
  type Client,
  type ClientConnection,
  type ClientContext,
  type ClientHandlers,
  type ClientNotificationContext,
  type ClientOptions,
  type ClientPeer,
  createAgent,
  createClient,
  type PromptContext,
  type UpdateContext,
} from './v1/stable.ts';
