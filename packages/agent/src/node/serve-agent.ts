import type { SideConnectOptions } from '@parley/acp';
import type { AgentConnection } from '@parley/acp/unstable';
import type { Transport } from '@parley/wire';
import { createCodingAgent } from '../coding-agent.ts';
import type { CodingAgentOptions } from '../coding-agent.ts';
import type { Clock } from '../environment.ts';
import type { Models } from '../model/models.ts';
import { createNodeEnvironment } from './environment.ts';
import type { NodeEnvironmentOptions } from './environment.ts';
import type { ReadProjectVariables, ResolveProvider } from './provider/environment-models.ts';
import type { ModelPrices } from './provider/model-price.ts';
import type { Variables } from './provider/provider-settings.ts';

/** Which providers there are, and how they are reached. */
export interface ProviderOptions {
  /** The variables that name providers, their keys and models. @default those of the process */
  readonly variables?: Variables;
  /**
   * Asked for the variables that a session's folder sets, such as those of its `.env`: they choose where prompts go, so that
   * they are for the caller to trust. @default none
   */
  readonly projectVariables?: ReadProjectVariables;
  /** The model sessions begin with, as `provider/model`. @default the one the variables say */
  readonly initialModel?: string;
  /** Asked, in place of the variables, how a provider is reached whose model is chosen. */
  readonly resolveProvider?: ResolveProvider;
  /** What the tokens of models cost, by `provider/model`. @default unknown, save where a provider says it */
  readonly prices?: ModelPrices;
  /** Takes a line that says which provider could not be resolved, never why. @default standard error */
  readonly log?: (line: string) => void;
}

/** The agent's options, and how it is connected. */
export interface ServeAgentOptions extends CodingAgentOptions, NodeEnvironmentOptions, ProviderOptions {
  readonly transport: Transport;
  /** @default the connection's own */
  readonly connection?: SideConnectOptions;
}

/** Serves our agent, working on this machine, to the client at the other end of a transport. */
export function serveAgent(options: ServeAgentOptions): AgentConnection {
  const { transport, connection } = options;
  const environment = createNodeEnvironment(options);
  const hasModel = options.model !== undefined || options.models !== undefined;
  const models = hasModel ? {} : { models: environmentModels(environment.clock, options) };
  return createCodingAgent(environment, { ...options, ...models }).connect(transport, connection);
}

/** What finds them is loaded with the first session. */
function environmentModels(clock: Clock, options: ProviderOptions): Models {
  const { variables = process.env, log = logLine } = options;
  const { projectVariables, initialModel, resolveProvider, prices } = options;
  return {
    open: async (cwd) => {
      const { openEnvironmentModels } = await import('./provider/environment-models.ts');
      return await openEnvironmentModels(cwd, {
        variables,
        clock,
        log,
        ...(projectVariables !== undefined && { projectVariables }),
        ...(initialModel !== undefined && { initialModel }),
        ...(resolveProvider !== undefined && { resolveProvider }),
        ...(prices !== undefined && { prices }),
      });
    },
  };
}

function logLine(line: string): void {
  process.stderr.write(`parley agent: ${line}\n`);
}
