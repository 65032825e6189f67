import { serveAgent } from '@parley/agent/node';
import { memoryPair, type Transport } from '@parley/wire';

/** Starts our own agent in this process, and gives the end of the connection that its client takes. */
export function connectOwnAgent(): Transport {
  const [client, agent] = memoryPair();
  serveAgent({ transport: agent });
  return client;
}
