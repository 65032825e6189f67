import type { StopReason, TurnError } from './turn-event.ts';

/** A turn of a session, as `GET /sessions/:id/turns/:turnId` returns it. An extension. */
export interface Turn {
  readonly turnId: string;
  readonly status: TurnStatus;
  /** Once it has stopped. */
  readonly stopReason?: StopReason;
  /** Why that is `error`. */
  readonly error?: TurnError;
  /** Finer than the stop reason. */
  readonly detail?: string;
  /** ISO 8601. */
  readonly startedAt?: string;
  /** ISO 8601. */
  readonly stoppedAt?: string;
  /** What was used, as the agent reports it. */
  readonly usage?: unknown;
}

/** Whether a turn goes on. */
export type TurnStatus = 'running' | 'stopped';

/** `GET /sessions/:id/turns`. An extension. */
export interface GetTurnsResponse {
  readonly turns: readonly Turn[];
}
