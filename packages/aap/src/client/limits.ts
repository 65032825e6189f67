/** The bounds of a client. */
export interface AapClientLimits {
  /** An answer that is no stream. @default 80 MiB */
  readonly maxAnswerBytes: number;
  /** One event of a stream. @default 80 MiB */
  readonly maxEventBytes: number;
  /** What is kept of the text of one turn. @default 128 Mi characters */
  readonly maxTurnCharacters: number;
  /** How often a broken stream is resumed before anything new has come. @default 6 */
  readonly maxReconnects: number;
  /** The longest wait between two of these, unless the server asks for another. @default 5 s */
  readonly maxReconnectMs: number;
}

/** The bounds without other wishes. */
export const defaultClientLimits: AapClientLimits = {
  maxAnswerBytes: 80 * 1024 * 1024,
  maxEventBytes: 80 * 1024 * 1024,
  maxTurnCharacters: 128 * 1024 * 1024,
  maxReconnects: 6,
  maxReconnectMs: 5000,
};
