import type { BridgedAgent } from '@parley/gateway';
import { HostError } from '@parley/host';
import type { Log } from './log.ts';

/** How long an agent may take to show what it offers. */
export const probeMs = 30_000;

/** How long the server waits for that before it listens. */
const defaultWaitMs = 10_000;

/** How agents are probed. */
export interface ProbeOptions {
  readonly log: Log;
  /** Aborts the probes. */
  readonly signal: AbortSignal;
  /** How long it may keep who calls waiting. @default 10000 */
  readonly waitMs?: number;
}

/**
 * Probes agents, all at the same time. Those that take long are probed in the background from then on: one
 * that cannot show what it offers is offered all the same.
 *
 * @returns a function that aborts the probes that still run
 */
export async function probeAgents(
  agents: readonly Pick<BridgedAgent, 'info' | 'probe'>[],
  { log, signal, waitMs = defaultWaitMs }: ProbeOptions,
): Promise<() => Promise<void>> {
  const ending = new AbortController();
  const until = AbortSignal.any([signal, ending.signal]);
  const awaited = new Set(agents.map(({ info }) => info.name));
  const looks = Promise.all(
    agents.map(async (agent) => {
      const { name } = agent.info;
      await look(agent, log, until);
      awaited.delete(name);
    }),
  );
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, waitMs);
  });
  await Promise.race([looks, late]);
  clearTimeout(timer);
  for (const agent of awaited) {
    log.warn('the agent takes long to show what it offers, and is served without options until it has', {
      agent,
    });
  }
  return async () => {
    ending.abort();
    await looks;
  };
}

async function look(
  agent: Pick<BridgedAgent, 'info' | 'probe'>,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  const { name } = agent.info;
  try {
    await agent.probe({ signal });
    log.info('agent', { agent: name, version: agent.info.version });
  } catch (error) {
    if (signal.aborted) return;
    log.warn('the agent does not show what it offers, and is served without options', {
      agent: name,
      code: error instanceof HostError ? error.code : 'internal',
      error: isLate(error) ? 'it took longer than it may' : messageOf(error),
    });
  }
}

/** Whether the probe was aborted; the start of the server goes on. */
function isLate(error: unknown): boolean {
  return error instanceof HostError && error.code === 'aborted';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
