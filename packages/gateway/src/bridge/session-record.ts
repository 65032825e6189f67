/** The stored part of a session, to resume it after its agent has ended. */
export interface SessionRecord {
  /** What the agent calls the session. */
  readonly agentSession: string;
  /** Where it works. */
  readonly cwd: string;
  /** Whether the agent knows the conversation so far; otherwise its session is not continued. */
  readonly isInformed: boolean;
  /** Sessions of the agent that came before, the last first. */
  readonly earlier: readonly string[];
}

/** How many earlier sessions of an agent are remembered. */
const earlierSessions = 100;

/** The record to store after a session of the agent was opened. */
export function nextRecord(
  known: SessionRecord | undefined,
  { agentSession, cwd, isInformed }: Omit<SessionRecord, 'earlier'>,
): SessionRecord {
  const before = known === undefined ? [] : [known.agentSession, ...known.earlier];
  const earlier = before.filter((id) => id !== agentSession).slice(0, earlierSessions);
  return { agentSession, cwd, isInformed, earlier };
}

/** Parses a stored record; undefined if it is invalid. */
export function parseSessionRecord(value: unknown): SessionRecord | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!('agentSession' in value) || typeof value.agentSession !== 'string') return undefined;
  if (!('cwd' in value) || typeof value.cwd !== 'string') return undefined;
  const earlier: readonly unknown[] = 'earlier' in value && Array.isArray(value.earlier) ? value.earlier : [];
  return {
    agentSession: value.agentSession,
    cwd: value.cwd,
    isInformed: 'isInformed' in value && value.isInformed === true,
    earlier: earlier.filter((id) => typeof id === 'string'),
  };
}
