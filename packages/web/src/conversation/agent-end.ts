import type { AgentEndItem } from '@parley/host/state';

/** The words for it. */
export interface AgentEndTexts {
  readonly agentEnded: string;
  readonly agentEndedStatus: (code: number) => string;
  readonly agentEndedSignal: (signal: string) => string;
}

/** Describes how an agent exited by itself, as far as known. */
export function describeAgentEnd(
  { exitCode, signal }: Pick<AgentEndItem, 'exitCode' | 'signal'>,
  text: AgentEndTexts,
): string {
  if (signal !== undefined) return text.agentEndedSignal(signal);
  return exitCode === undefined ? text.agentEnded : text.agentEndedStatus(exitCode);
}
