import type { AgentSession } from '@parley/host';
import type { Ending } from '../conversation/ending.ts';
import type { Surroundings } from '../surroundings.ts';
import type { RunFlags } from './flags.ts';
import { startDeadline } from './limits.ts';

/** How long sub-agents may take to confirm that they were cancelled. */
const graceMs = 5000;

/** What the wait for sub-agents needs of the run. */
export interface SubagentsEndedOptions {
  readonly surroundings: Surroundings;
  readonly ending: Ending;
  /** Watches again for an agent that says nothing. */
  readonly resumeSilence: (() => void) | undefined;
}

/** Waits for the sub-agents that still work when the turn has ended, within the limits of the run. When the run is ended, they are cancelled. */
export async function subagentsEnded(
  session: AgentSession,
  flags: RunFlags,
  { surroundings, ending, resumeSilence }: SubagentsEndedOptions,
): Promise<void> {
  if (!session.hasWorkingSubagents) return;
  using _deadline = startDeadline(flags, surroundings, ending);
  resumeSilence?.();
  await session.subagentsSettled({ signal: ending.begun });
  if (!ending.begun.aborted) return;
  await session.cancel(ending.cancelOptions);
  const grace = AbortSignal.any([ending.hurried, AbortSignal.timeout(graceMs)]);
  await session.subagentsSettled({ signal: grace });
}
