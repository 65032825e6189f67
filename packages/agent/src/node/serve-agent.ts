import type { SideConnectOptions } from '@parley/acp';
import type { AgentConnection } from '@parley/acp/unstable';
import type { Transport } from '@parley/wire';
import { createCodingAgent } from '../coding-agent.ts';
import type { CodingAgentOptions } from '../coding-agent.ts';
import type { Clock } from '../environment.ts';
import type { Models } from '../model/models.ts';
import { createNodeEnvironment } from './environment.ts';
import type { NodeEnvironmentOptions } from './environment.ts';
import { ClientProviders } from './provider/client-providers.ts';
import type { ReadProjectVariables, ResolveProvider } from './provider/environment-models.ts';
import type { ModelPrices } from './provider/model-price.ts';
import type { Variables } from './provider/provider-settings.ts';

/** The available providers, and how to reach them. */
export interface ProviderOptions {
  /**
   * The variables that configure providers, or a function that returns them for each session. @default the variables
   * of the process
   */
  readonly variables?: Variables | (() => Promise<Variables>);
  /**
   * Returns the variables that a session's folder sets, for example in `.env`. They determine where prompts are sent,
   * so the caller must decide whether to trust them. @default none
   */
  readonly projectVariables?: ReadProjectVariables;
  /** The initial model of each session, as `provider/model`. @default from the variables */
  readonly initialModel?: string;
  /** Resolves the provider of a chosen model, in place of the variables. */
  readonly resolveProvider?: ResolveProvider;
  /** Prices by `provider/model`. @default unknown, unless a provider reports the cost */
  readonly prices?: ModelPrices;
  /** Receives a line that names a provider that could not be resolved, without the reason. @default standard error */
  readonly log?: (line: string) => void;
}

/** Options of the agent and its connection. */
export interface ServeAgentOptions extends CodingAgentOptions, NodeEnvironmentOptions, ProviderOptions {
  readonly transport: Transport;
  /** @default the connection's defaults */
  readonly connection?: SideConnectOptions;
}

/** Serves Parley's agent on this machine to the client at the other end of a transport. */
export function serveAgent(options: ServeAgentOptions): AgentConnection {
  const { transport, connection } = options;
  const environment = createNodeEnvironment(options);
  const hasModel = options.model !== undefined || options.models !== undefined;
  const models = hasModel ? {} : { models: environmentModels(environment.clock, options) };
  return createCodingAgent(environment, { ...options, ...models }).connect(transport, connection);
}

/** What finds them is loaded with the first session. */
function environmentModels(clock: Clock, options: ProviderOptions): Models {
  const { variables: given = process.env, log = logLine } = options;
  const variables = (): Promise<Variables> =>
    typeof given === 'function' ? given() : Promise.resolve(given);
  const providers = new ClientProviders(variables);
  const { projectVariables, initialModel, resolveProvider, prices } = options;
  return {
    providers,
    open: async (cwd) => {
      const { openEnvironmentModels } = await import('./provider/environment-models.ts');
      return await openEnvironmentModels(cwd, {
        variables: await variables(),
        providers,
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
