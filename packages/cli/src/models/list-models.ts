import { knownProviders, ProviderVariables } from '@parley/agent/node';
import type { ModelProvider, ModelProviders } from '@parley/host/hub';
import type { Variables } from '../configuration/places.ts';
import { openKeychain } from './keychain.ts';
import { readStoredProviders } from './model-store.ts';

/** The providers that our own agent can use: those that are known, and those that variables or a connection name. Without keys. */
export async function listModels(env: Variables): Promise<ModelProviders> {
  const stored = await readStoredProviders(env);
  const variables = new ProviderVariables(env);
  const { chosen } = variables;
  const ids = new Set([
    ...(chosen === undefined ? [] : [chosen]),
    ...stored.map(({ id }) => id),
    ...knownProviders,
  ]);
  const providers = Array.from(ids, (id): ModelProvider => {
    const found = variables.find(id);
    if (found !== undefined) return { id, ...placeOf(found), from: 'environment' };
    const connected = stored.find((provider) => provider.id === id);
    return connected === undefined ? { id } : { id, ...placeOf(connected), from: 'stored' };
  });
  return { store: (await openKeychain(env)) === undefined ? 'file' : 'keychain', providers };
}

function placeOf({
  model,
  baseUrl,
}: {
  readonly model?: string;
  readonly baseUrl?: string;
}): Pick<ModelProvider, 'model' | 'baseUrl'> {
  return { ...(model !== undefined && { model }), ...(baseUrl !== undefined && { baseUrl }) };
}
