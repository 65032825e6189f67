/** Limits of a client. */
export interface AapClientLimits {
  /** Size of a response that is not a stream. @default 80 MiB */
  readonly maxAnswerBytes: number;
  /** Size of one event of a stream. @default 80 MiB */
  readonly maxEventBytes: number;
  /** Stored text of one turn. @default 128 Mi characters */
  readonly maxTurnCharacters: number;
  /** Reconnections of a broken stream without a new event. @default 6 */
  readonly maxReconnects: number;
  /** Longest delay between reconnections, unless the server requests a longer one. @default 5 s */
  readonly maxReconnectMs: number;
}

/** The default limits. */
export const defaultClientLimits: AapClientLimits = {
  maxAnswerBytes: 80 * 1024 * 1024,
  maxEventBytes: 80 * 1024 * 1024,
  maxTurnCharacters: 128 * 1024 * 1024,
  maxReconnects: 6,
  maxReconnectMs: 5000,
};
