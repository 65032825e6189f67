import type { Files } from '@parley/workspace';
import type { Grants } from '../permission/grants.ts';
import type { ToolCalls } from '../permission/request/tool-calls.ts';
import type { ClientTerminals } from '../services/terminal/client-terminals.ts';
import type { Terminals } from '../services/terminal/terminals.ts';

/** What an agent may reach through the client while a session is open. */
export interface SessionScope {
  readonly id: string;
  readonly files: Files;
  readonly terminals: Terminals;
  /** Those that a client serves. */
  readonly clientTerminals: ClientTerminals;
  readonly toolCalls: ToolCalls;
  readonly grants: Grants;
  /** Aborted when the running turn is cancelled, or the session ends: questions are not wanted any more. */
  readonly questionSignal: AbortSignal;
  /** Looks at what requests ask for one after another, so that they are put to a user in the order they came. */
  inOrder<T>(look: () => Promise<T>): Promise<T>;
  /** The agent asked for something. */
  heard(): void;
  /** The user may have to be asked: that is not the agent's silence. Returns what to call after the answer. */
  beginQuestion(): () => void;
}
