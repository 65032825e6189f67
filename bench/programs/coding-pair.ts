/** A coding agent and its client in one process. */
export interface CodingPair {
  /** What it made on the disk. */
  readonly folder: string;
  readonly sessions: readonly string[];
  /** One turn of so many steps. */
  prompt(sessionId: string, text: string): Promise<void>;
  close(): Promise<void>;
}
