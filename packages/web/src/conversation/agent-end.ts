import type { AgentEndItem } from '@parley/host/state';

/** The words for it. */
export interface AgentEndTexts {
  readonly agentEnded: string;
  readonly agentEndedStatus: (code: number) => string;
  readonly agentEndedSignal: (signal: string) => string;
}

/** That an agent ended by itself, and how, as far as it is known. */
export function describeAgentEnd(
  { exitCode, signal }: Pick<AgentEndItem, 'exitCode' | 'signal'>,
  text: AgentEndTexts,
): string {
  if (signal !== undefined) return text.agentEndedSignal(signal);
  return exitCode === undefined ? text.agentEnded : text.agentEndedStatus(exitCode);
}
