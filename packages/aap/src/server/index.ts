export { findInputFault } from './find-input-fault.ts';
export { findSchemaFault } from './find-schema-fault.ts';
export type { SecretVault } from './secret-vault.ts';
export type {
  CallAnswer,
  CallPermission,
  Extras,
  ResultExtras,
  Run,
  RunAnswers,
  RunEnd,
  RunInput,
  RunStop,
  ServedAgent,
  SessionChange,
} from './served-agent.ts';
export type { AppendOptions, SessionStore, StoredSession } from './session-store.ts';
