import { serveAgent, stateDirectory } from '@parley/agent/node';
import type { SandboxChoice } from '@parley/host';
import { memoryPair, type Transport } from '@parley/wire';
import { isNarrowing } from '@parley/workspace';
import { ownAgentRules, type Configuration } from '../../configuration/configuration.ts';
import { userInstructionsFile } from '../../configuration/places.ts';
import type { Variables } from '../../configuration/places.ts';
import { readTrustedVariables } from '../../configuration/project-variables.ts';
import { withStoredProviders } from '../../models/model-store.ts';

/** The options of our own agent. */
export interface OwnAgentOptions {
  readonly env: Variables;
  readonly configuration: Pick<Configuration, 'rules' | 'sandbox'>;
  /** `off`: its commands are not held either. @default as it is configured */
  readonly sandbox?: SandboxChoice;
  /** Called with what of a session's folder is not used, and why. */
  readonly warn: (code: string, message: string) => void;
  /** The model sessions begin with, as `provider/model`. */
  readonly model?: string;
}

/**
 * Starts our own agent in this process, and gives the end of the connection that its client takes. That is closed
 * when the agent has saved what it did.
 */
export function connectOwnAgent({ env, configuration, sandbox, warn, model }: OwnAgentOptions): Transport {
  const [client, transport] = memoryPair();
  const agent = serveAgent({
    transport,
    // What it does without asking, reading above all, the host at the other end never sees: rules that narrow hold here too.
    // None that allow: what it asks about is judged by the host, where a given `--approve` beats them.
    rules: () => Promise.resolve(ownAgentRules(configuration.rules.filter(isNarrowing))),
    stateDirectory: stateDirectory(env),
    userInstructions: userInstructionsFile(env),
    variables: () => withStoredProviders(env),
    projectVariables: async (cwd) => {
      const { variables, notice } = await readTrustedVariables(cwd, env);
      if (notice !== undefined) warn('variables', `${notice.title}: ${notice.description}`);
      return { variables };
    },
    ...(model !== undefined && { initialModel: model }),
    ...(sandbox !== 'off' && {
      findCommandHolder: async (directories) => {
        const { findCommandHolder } = await import('./command-holder.ts');
        return await findCommandHolder(directories, configuration, env);
      },
    }),
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
