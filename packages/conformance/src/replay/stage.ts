import type { Clock, JsonObject } from '@parley/wire';
import type { Step } from './recording-index.ts';

/** A request or a notification of the client that is there. */
export interface LiveCall {
  /** Absent where it wants no answer. */
  readonly id?: unknown;
  readonly method: string;
  readonly params: unknown;
}

/** What a lane needs from its replay. */
export interface Stage {
  readonly clock: Clock;
  /** The speed factor of recorded time; Infinity for no delays. */
  readonly speed: number;
  readonly isStrict: boolean;
  /** Aborted at the end of the replay. */
  readonly signal: AbortSignal;
  read(step: Step): Promise<unknown>;
  send(message: JsonObject): Promise<void>;
  /** Sends a request of the agent under an id of its own. */
  ask(message: JsonObject): Asked;
  refuse(call: LiveCall, why: string): Promise<void>;
  /** An answer carried the id of a session, which can be played from now on. */
  open(step: Step, cwd: string | undefined): void;
  depart(what: string): void;
}

/** A request that was sent to the client. */
export interface Asked {
  readonly id: number;
  readonly isSent: Promise<void>;
  /** The client's answer; nothing when the replay ended before. */
  readonly answer: Promise<JsonObject | undefined>;
}
