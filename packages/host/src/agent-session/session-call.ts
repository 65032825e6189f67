import type { HostContext } from '../host-context.ts';
import type { SessionScope } from './session-scope.ts';

/** What a request of the agent's needs that is carried out in a session. */
export interface SessionCall {
  readonly scope: SessionScope;
  readonly host: HostContext;
  /** Aborted when the answer is no longer wanted: its request, its turn or its session has ended. */
  readonly signal: AbortSignal;
}
