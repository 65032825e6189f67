import { invalidParams, invalidRequest } from '@parley/acp';
import type { HubModels } from '@parley/gateway';
import { CliError } from '../cli-error.ts';
import type { Variables } from '../configuration/places.ts';
import { connectModel } from './connect-model.ts';
import { listModels } from './list-models.ts';
import { removeProvider } from './model-store.ts';

/** The models of our own agent, for clients of the hub. */
export function hubModels(env: Variables): HubModels {
  return {
    list: () => asRefusal(listModels(env)),
    connect: async ({ provider: id, ...how }, signal) => {
      await asRefusal(connectModel({ id, ...how }, env, signal));
      return listModels(env);
    },
    disconnect: async (provider) => {
      if (!(await asRefusal(removeProvider(provider, env)))) {
        throw invalidParams('provider', 'a provider that was connected here');
      }
      return listModels(env);
    },
  };
}

async function asRefusal<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof CliError) throw invalidRequest(error.message);
    throw error;
  }
}
