import { createHmac } from 'node:crypto';
import type { EventLogStart } from '../event/logged-event.ts';

/** The agent of an event log: its name in the configuration, or the typed command line. */
export interface LoggedAgent {
  /** What the agent is called here. */
  readonly agent: string;
  /** The command and its arguments; absent for an agent that has a name of its own. */
  readonly commandLine?: readonly string[];
}

/** Whether an event log is of this agent: an agent by command line is the same only with all its arguments. */
export function isLogOf(
  { key, agent, commandLineHash }: Pick<EventLogStart, 'key' | 'agent' | 'commandLineHash'>,
  wanted: LoggedAgent,
): boolean {
  const wantedHash = wanted.commandLine === undefined ? undefined : hashCommandLine(wanted.commandLine, key);
  return agent === wanted.agent && commandLineHash === wantedHash;
}

/**
 * The hash of a command line as event logs store it: arguments may contain secrets. The key prevents comparison
 * across machines.
 */
export function hashCommandLine(commandLine: readonly string[], key: string): string {
  return createHmac('sha256', key).update(JSON.stringify(commandLine)).digest('hex');
}
