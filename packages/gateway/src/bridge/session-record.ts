/** What is remembered of a session, to go on with it after its agent was ended. */
export interface SessionRecord {
  /** What the agent calls the session. */
  readonly agentSession: string;
  /** Where it works. */
  readonly cwd: string;
}

/** Reads what a session was remembered by; undefined if it is nothing of ours. */
export function parseSessionRecord(value: unknown): SessionRecord | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!('agentSession' in value) || typeof value.agentSession !== 'string') return undefined;
  if (!('cwd' in value) || typeof value.cwd !== 'string') return undefined;
  return { agentSession: value.agentSession, cwd: value.cwd };
}
