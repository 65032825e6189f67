export { openApiDocument, type OpenApiDocument, type OpenApiOptions } from '../openapi/open-api-document.ts';
export { findInputFault } from './schema/find-input-fault.ts';
export { findSchemaFault } from './schema/find-schema-fault.ts';
export type { Access } from './access.ts';
export {
  createAapServer,
  type AapServer,
  type AapServerOptions,
  type RequestContext,
  type ServerStatus,
} from './create-aap-server.ts';
export { changeOwners, type ChangeOwnersOptions } from './session/change-owners.ts';
export { memoryVault } from './config/memory-vault.ts';
export { redacted } from './config/stored-config.ts';
export { defaultLimits, type AapServerLimits } from './limits.ts';
export { memoryStore } from './memory-store.ts';
export type { RequestErrorCode } from './request-error.ts';
export type { SecretVault } from './secret-vault.ts';
export { AapServerError, type AapServerErrorCode } from './server-error.ts';
export type { ServerEvent } from './server-event.ts';
export type {
  CallAnswer,
  CallPermission,
  Extras,
  ResultExtras,
  Run,
  RunAnswers,
  RunEnd,
  RunInput,
  RunSender,
  RunStop,
  ServedAgent,
  AapSessionChange,
} from './served-agent.ts';
export type { AppendOptions, AapSessionStore, StoredAapSession } from './aap-session-store.ts';
export { projectTurn, type ProjectedRecord, type ProjectTurnOptions } from './turn/project-turn.ts';
export { textSourceOf, type TextSource } from './turn/text-source.ts';
