import type { PermissionOption, RequestPermissionOutcome, SessionUpdate, ToolCallUpdate } from '@parley/acp';
import type { Clock } from '../environment.ts';
import type { AgentLimits } from '../limits.ts';
import type { Model } from '../model/model.ts';
import type { Session } from '../session/session.ts';
import type { Tool } from '../tools/tool.ts';

/** What takes part in one turn. */
export interface Turn {
  readonly session: Session;
  readonly model: Model;
  readonly tools: readonly Tool[];
  readonly limits: AgentLimits;
  readonly clock: Clock;
  readonly client: TurnClient;
}

/** The client, as a turn sees it. */
export interface TurnClient {
  /** Aborted when the turn is cancelled or the connection ends. */
  readonly signal: AbortSignal;
  /** Settles when there is room for more. */
  update(update: SessionUpdate): Promise<void>;
  requestPermission(toolCall: ToolCallUpdate, options: PermissionOption[]): Promise<RequestPermissionOutcome>;
  /** The user's answer, or `(user unavailable)`. */
  askUser(toolCallId: string, question: string): Promise<string>;
}
