import { WireError } from '@parley/wire';
import { loadLookMs } from '../../agent/agent-trouble.ts';
import { HostError } from '../../host-error.ts';
import type { SessionTarget } from './session-target.ts';

/** Why a session was not opened, with what the agent did meanwhile where it did not answer. */
export async function explainOpening(
  error: unknown,
  method: string,
  { agent, host }: Pick<SessionTarget, 'agent' | 'host'>,
  signal: AbortSignal | undefined,
): Promise<Error> {
  const what = `while opening a session: ${method}`;
  const isOver = error instanceof WireError && (error.code === 'timeout' || error.code === 'idle');
  if (!isOver || signal?.aborted === true) return agent.explain(what, error, signal);
  const load = await agent.load(loadLookMs);
  const doing = load === undefined ? '' : `; its processes were ${load}`;
  return new HostError(
    'open-timeout',
    `${what}: no answer from ${JSON.stringify(host.agentName)} in ${agent.openTimeoutMs} ms${doing}`,
    { cause: error, stderr: agent.stderrTail() },
  );
}
