import { serveAgent, stateDirectory } from '@parley/agent/node';
import { memoryPair, type Transport } from '@parley/wire';
import { personInstructions } from '../configuration/places.ts';
import { readTrustedVariables } from '../configuration/project-variables.ts';
import type { Variables } from '../configuration/places.ts';

/** What our own agent is told when it starts. */
export interface OwnAgentOptions {
  readonly env: Variables;
  /** The model sessions begin with, as `provider/model`. */
  readonly model?: string;
}

/**
 * Starts our own agent in this process, and gives the end of the connection that its client takes. That is closed
 * when the agent has saved what it did.
 */
export function connectOwnAgent({ env, model }: OwnAgentOptions): Transport {
  const [client, transport] = memoryPair();
  const agent = serveAgent({
    transport,
    // No rules: the host at the other end judges by them, and a given `--approve` beats them there.
    stateDirectory: stateDirectory(env),
    userInstructions: personInstructions(env),
    variables: env,
    projectVariables: (cwd) => readTrustedVariables(cwd, env),
    ...(model !== undefined && { initialModel: model }),
  });
  return {
    start: (receiver) => {
      client.start(receiver);
    },
    send: (batch) => client.send(batch),
    close: async (reason) => {
      await client.close(reason);
      await agent.closed;
    },
  };
}
