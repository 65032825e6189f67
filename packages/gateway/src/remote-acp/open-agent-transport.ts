import { openRemote, type AgentPool, type AgentSpec } from '@parley/host';
import type { CloseReason, Transport } from '@parley/wire';
import { streamTransport } from '@parley/wire/node';
import { startProcess } from '@parley/workspace';

/** What an agent of a remote client is started with. */
export interface OpenAgentTransportOptions {
  /** Where its process starts. */
  readonly cwd: string;
  readonly pool: AgentPool;
  /** Of the client that it is for. */
  readonly connectionId: string;
  readonly signal: AbortSignal;
}

/** How long a client waits for a place: it hears nothing meanwhile, and many give up after a minute. */
const clientWaitMs = 45_000;

/** Starts an agent for one remote client, when there is a place for it. Closing the transport ends the agent. */
export async function openAgentTransport(
  { reach, env = {} }: AgentSpec,
  { cwd, pool, connectionId, signal }: OpenAgentTransportOptions,
): Promise<Transport> {
  const tenant = { sessionId: connectionId, stop: () => Promise.resolve() };
  const place = await pool.acquire(tenant, { signal, waitMs: clientWaitMs });
  const release = (): void => {
    place.release();
  };
  try {
    if (reach.by === 'transport') return closingWith(await reach.connect({ env, signal }), release);
    if (reach.by === 'url') return closingWith(await openRemote({ ...reach, signal }), release);
    const { command, args = [] } = reach;
    const group = await startProcess({ command, args, env, cwd });
    // Nobody is there to read it; an agent must not hang because of that.
    group.stderr.resume();
    const transport = streamTransport({
      input: group.stdout,
      output: group.stdin,
      exited: group.exited.then((): CloseReason => ({ code: 'exited', message: 'the agent exited' })),
    });
    return closingWith(transport, async () => {
      await group.end();
      release();
    });
  } catch (error) {
    release();
    throw error;
  }
}

/** The transport, and what is to be done when it has closed. */
function closingWith(transport: Transport, after: () => void | Promise<void>): Transport {
  return {
    start: (receiver) => {
      transport.start(receiver);
    },
    send: (batch) => transport.send(batch),
    close: async (reason) => {
      await transport.close(reason);
      await after();
    },
  };
}
