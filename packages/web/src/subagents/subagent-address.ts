import { useSearch } from 'wouter';

/** The sub-agent that the address of the page names: `?subagent=ID`. */
export function useSubagentAddress(): string | undefined {
  return new URLSearchParams(useSearch()).get('subagent') ?? undefined;
}

/** The address of the conversation of a sub-agent, or of its session. */
export function subagentHref(sessionKey: string, subagent?: string): string {
  const path = `/sessions/${sessionKey}`;
  return subagent === undefined ? path : `${path}?subagent=${encodeURIComponent(subagent)}`;
}
