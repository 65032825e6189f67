import type { Surroundings } from '../surroundings.ts';
import type { Log } from './log.ts';

/** What a hub has around it. */
export interface ServerOptions {
  readonly surroundings: Surroundings;
  readonly log: Log;
  /** Aborts the start. */
  readonly signal: AbortSignal;
}
