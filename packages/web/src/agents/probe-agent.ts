import type { AgentCard } from '@parley/host/hub';
import { askApi } from '../hub/api.ts';

/** Starts an agent to see what it says of itself. It is not signed in to, and nothing is prompted. */
export async function probeAgent(name: string, signal: AbortSignal): Promise<AgentCard> {
  return askApi(`/api/agents/${encodeURIComponent(name)}/probe`, { method: 'POST', signal });
}
