import { knownProviders, ProviderVariables, toPrefix, tryProvider } from '@parley/agent/node';
import { isLoopback } from '@parley/gateway';
import { CliError } from '../cli-error.ts';
import type { Variables } from '../configuration/places.ts';
import { storeProvider, type NewProvider } from './model-store.ts';
import type { StoredProvider } from './stored-provider.ts';

/** A provider that was connected. */
export interface ConnectedModel {
  readonly provider: string;
  readonly model: string;
  readonly keyIn: StoredProvider['keyIn'];
}

/**
 * Tries a provider with one request, and stores how it is reached when that was answered.
 *
 * @throws {CliError} `usage`: something is missing or wrong. `model-failed`: the provider did not answer; nothing was stored.
 */
export async function connectModel(
  typed: NewProvider,
  env: Variables,
  signal?: AbortSignal,
): Promise<ConnectedModel> {
  const wanted = trimmed(typed);
  const { id, key, baseUrl } = wanted;
  if (!/^[a-z][a-z\d]*(?:[-_][a-z\d]+)*$/u.test(id)) {
    throw new CliError(
      'usage',
      'the name of a provider has small letters, digits and hyphens, such as "openai"',
    );
  }
  if (baseUrl !== undefined) checkAddress(baseUrl, key !== undefined);
  const { model, ...settings } = settingsOf(wanted);
  if (model === undefined) {
    throw new CliError(
      'usage',
      `name a model of ${id}; the models at ${baseUrl ?? 'its address'} are not known`,
    );
  }
  const failure = await tryProvider({ provider: id, model, settings }, signal);
  if (failure !== undefined) {
    throw new CliError(
      'model-failed',
      `${failure.replace(/\.$/u, '')}. Nothing was stored; check the key, the address and the model`,
    );
  }
  return { provider: id, model, keyIn: await storeProvider({ ...wanted, model }, env) };
}

function settingsOf({
  id,
  key,
  baseUrl,
  model,
}: NewProvider): NonNullable<ReturnType<ProviderVariables['find']>> {
  const prefix = toPrefix(id);
  const found = new ProviderVariables({
    [`${prefix}_API_KEY`]: key,
    [`${prefix}_BASE_URL`]: baseUrl,
    [`${prefix}_MODEL`]: model,
  }).find(id);
  if (found !== undefined) return found;
  const isKnown = knownProviders.some((name) => name === id);
  throw new CliError(
    'usage',
    isKnown ? `${id} needs a key` : `${id} needs a base URL, such as https://api.example.com/v1`,
  );
}

/** A key leaves this machine only encrypted. */
function checkAddress(baseUrl: string, hasKey: boolean): void {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/u.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new CliError('usage', 'expected a provider address with https:// and without a key');
  }
  if (hasKey && url.protocol === 'http:' && !isLoopback(url.hostname.replace(/^\[|\]$/gu, ''))) {
    throw new CliError('usage', `the key is not sent to ${url.host} without encryption: use https://`);
  }
}

function trimmed({ id, key, baseUrl, model }: NewProvider): NewProvider {
  const given = { key: textOf(key), baseUrl: textOf(baseUrl), model: textOf(model) };
  return {
    id: id.trim().toLowerCase(),
    ...(given.key !== undefined && { key: given.key }),
    ...(given.baseUrl !== undefined && { baseUrl: given.baseUrl }),
    ...(given.model !== undefined && { model: given.model }),
  };
}

/** A value without blanks around it; undefined where nothing else is in it. */
function textOf(value = ''): string | undefined {
  const text = value.trim();
  return text === '' ? undefined : text;
}
