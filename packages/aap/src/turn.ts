import type { StopReason, TurnError } from './turn-event.ts';

/** A turn of a session in the response of `GET /sessions/:id/turns/:turnId`. An extension. */
export interface Turn {
  readonly turnId: string;
  readonly status: TurnStatus;
  /** Present once the turn has stopped. */
  readonly stopReason?: StopReason;
  /** The failure, if the stop reason is `error`. */
  readonly error?: TurnError;
  /** More specific than the stop reason. */
  readonly detail?: string;
  /** ISO 8601. */
  readonly startedAt?: string;
  /** ISO 8601. */
  readonly stoppedAt?: string;
  /** The usage, as reported by the agent. */
  readonly usage?: unknown;
}

/** Whether a turn is running. */
export type TurnStatus = 'running' | 'stopped';

/** The response to `GET /sessions/:id/turns`. An extension. */
export interface GetTurnsResponse {
  readonly turns: readonly Turn[];
}
