import type { StreamMode } from '../../agent-info.ts';
import type { HistoryMessage, ToolMessage, UserMessage } from '../../message.ts';
import type { ToolResult } from '../../tool-result.ts';
import type { ToolSpec } from '../../tool.ts';
import type { StopReason, TurnError } from '../../turn-event.ts';
import type { StoredConfig } from '../config/stored-config.ts';
import type { LoggedTurnEvent } from '../turn/logged-turn-event.ts';
import type { Idempotency } from './idempotency.ts';

/** What is kept of a session, in the order in which it happened. */
export type AapSessionRecord =
  | SessionCreated
  | TurnStarted
  | TurnEvents
  | TurnStopped
  | CallsResolved
  | SessionChanged
  | OwnerChanged
  | StateRemembered;

/** The first. */
export interface SessionCreated {
  readonly type: 'created';
  readonly time: string;
  readonly agent: StoredConfig;
  readonly tools?: readonly ToolSpec[];
  readonly messages?: readonly HistoryMessage[];
  /** Whose session it is. */
  readonly tenant?: string;
  readonly idempotency?: Idempotency;
}

/** A turn was accepted: from here on its input counts, with any outcome. */
export interface TurnStarted {
  readonly type: 'turn-start';
  readonly turnId: string;
  readonly time: string;
  readonly stream: StreamMode;
  readonly input: TurnInput;
  /** The session's settings from here on. */
  readonly agent: StoredConfig;
  readonly tools?: readonly ToolSpec[];
  readonly idempotency?: Idempotency;
}

/** What a turn begins with. */
export type TurnInput =
  | {
      readonly kind: 'message';
      readonly message: UserMessage;
      /** Denials of what was still waiting for the application. */
      readonly superseded?: readonly ToolMessage[];
    }
  | { readonly kind: 'answers'; readonly answers: readonly ApplicationAnswer[] };

/** What the application says about a call that waits for it. */
export type ApplicationAnswer =
  | { readonly kind: 'granted'; readonly toolCallId: string; readonly optionId?: string }
  | {
      readonly kind: 'denied';
      readonly toolCallId: string;
      readonly reason?: string;
      readonly optionId?: string;
    }
  | { readonly kind: 'result'; readonly toolCallId: string; readonly content: ToolResult['content'] };

/** Some events of a turn, in a row. */
export interface TurnEvents {
  readonly type: 'events';
  readonly turnId: string;
  /** The number of the first; `turn_start` has 1. */
  readonly from: number;
  readonly events: readonly LoggedTurnEvent[];
}

/** A turn is over. */
export interface TurnStopped extends AapTurnOutcome {
  readonly type: 'turn-stop';
  readonly turnId: string;
  readonly time: string;
  /** Its number among the turn's events. */
  readonly seq: number;
}

/** How a turn ended. */
export interface AapTurnOutcome {
  readonly stopReason: StopReason;
  readonly error?: TurnError;
  readonly detail?: string;
  readonly usage?: unknown;
}

/** Calls were answered while no turn was running, because the application did not answer in time. */
export interface CallsResolved {
  readonly type: 'resolved';
  readonly time: string;
  readonly results: readonly ToolMessage[];
}

/** The agent gave the session a title, or changed its options. */
export interface SessionChanged {
  readonly type: 'changed';
  readonly time: string;
  readonly title?: string;
  readonly options?: StoredConfig['options'];
}

/** The session belongs to another tenant from here on. */
export interface OwnerChanged {
  readonly type: 'owner';
  readonly time: string;
  /** @default it belongs to none: only those see it who see all */
  readonly tenant?: string;
}

/** What the agent keeps with the session. */
export interface StateRemembered {
  readonly type: 'state';
  readonly state: unknown;
}

const types: ReadonlySet<unknown> = new Set<AapSessionRecord['type']>([
  'created',
  'turn-start',
  'events',
  'turn-stop',
  'resolved',
  'changed',
  'owner',
  'state',
]);

/** A record out of a store, or undefined for one that a later version wrote. */
export function parseAapSessionRecord(value: unknown): AapSessionRecord | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!('type' in value) || !types.has(value.type)) return undefined;
  // oxlint-disable-next-line typescript/consistent-type-assertions -- the store gives back what we gave it
  return value as AapSessionRecord;
}
