import type { Files } from '@parley/workspace';
import type { SubagentName } from '../event/subagent-name.ts';
import type { Grants } from '../permission/grants.ts';
import type { ToolCalls } from '../permission/request/tool-calls.ts';
import type { ClientTerminals } from '../services/terminal/client-terminals.ts';
import type { Terminals } from '../services/terminal/terminals.ts';

/** What an agent may reach through the client while a session is open. */
export interface SessionScope {
  readonly id: string;
  /** The sub-agent of the session that is meant. @default the session itself */
  readonly subagent?: SubagentName;
  readonly files: Files;
  readonly terminals: Terminals;
  /** Those that a client serves. */
  readonly clientTerminals: ClientTerminals;
  readonly toolCalls: ToolCalls;
  readonly grants: Grants;
  /** Aborted when the running turn is cancelled, or the session ends: questions are no longer needed. */
  readonly questionSignal: AbortSignal;
  /** Runs checks of requests one after another, so that questions reach the user in the order of arrival. */
  inOrder<T>(look: () => Promise<T>): Promise<T>;
  /** The agent asked for something. */
  heard(): void;
  /** Pauses the silence timer while the user may be asked. Call the returned function after the answer. */
  beginQuestion(): () => void;
}
