import { chmod } from 'node:fs/promises';
import { toPrefix } from '@parley/agent/node';
import { takeLock } from '@parley/workspace';
import { CliError } from '../cli-error.ts';
import { modelsFile, type Variables } from '../configuration/places.ts';
import { replaceUserFile } from '../configuration/replace-user-file.ts';
import { decodeInput, isMissingFile, readInputFile, toFileReason } from '../input-file.ts';
import { openKeychain } from './keychain.ts';
import type { StoredProvider } from './stored-provider.ts';

/** What a provider is connected with. */
export interface NewProvider {
  readonly id: string;
  readonly key?: string;
  readonly baseUrl?: string;
  readonly model?: string;
}

/** The providers that were connected, the last one first. */
export async function readStoredProviders(env: Variables): Promise<readonly StoredProvider[]> {
  const file = modelsFile(env);
  const label = file;
  const code = 'configuration';
  try {
    const bytes = await readInputFile(file, { label, code });
    // Loaded for a file that is there.
    const { parseProviders } = await import('./stored-provider.ts');
    return await parseProviders(decodeInput(bytes, { label, code }), label);
  } catch (error) {
    if (error instanceof CliError && isMissingFile(error.cause)) return [];
    throw error;
  }
}

/** Stores a provider: its key in the keychain where there is one, else in the file. @returns where the key is */
export async function storeProvider(
  { key, ...provider }: NewProvider,
  env: Variables,
): Promise<StoredProvider['keyIn']> {
  const keyIn = key === undefined ? undefined : await storeKey(provider.id, key, env);
  await change(env, (before) => [
    {
      ...provider,
      ...(keyIn !== undefined && { keyIn }),
      ...(keyIn === 'file' && key !== undefined && { key }),
    },
    ...before.filter(({ id }) => id !== provider.id),
  ]);
  return keyIn;
}

/** Removes a provider, and its key. @returns whether it was stored */
export async function removeProvider(id: string, env: Variables): Promise<boolean> {
  const isStored = (await readStoredProviders(env)).some((provider) => provider.id === id);
  if (!isStored) return false;
  await change(env, (before) => before.filter((provider) => provider.id !== id));
  await (await openKeychain(env))?.remove(accountOf(id));
  return true;
}

/**
 * The variables of a process with those of the providers that were connected behind them. A provider that the process has
 * variables of is the process's own: none of the stored ones counts for it.
 */
export async function withStoredProviders(env: Variables): Promise<Variables> {
  const stored = await readStoredProviders(env);
  const added: Record<string, string> = {};
  for (const provider of stored) {
    const prefix = toPrefix(provider.id);
    if (isSet(env[`${prefix}_API_KEY`]) || isSet(env[`${prefix}_BASE_URL`])) continue;
    const key = provider.keyIn === undefined ? undefined : await findKey(provider, env);
    if (provider.keyIn !== undefined && key === undefined) continue;
    if (key !== undefined) added[`${prefix}_API_KEY`] = key;
    if (provider.baseUrl !== undefined) added[`${prefix}_BASE_URL`] = provider.baseUrl;
    if (provider.model !== undefined && !isSet(env[`${prefix}_MODEL`])) {
      added[`${prefix}_MODEL`] = provider.model;
    }
    // The one that was connected last answers, unless the process says otherwise.
    if (!hasProvider(env)) added['LLM_PROVIDER'] ??= provider.id;
  }
  return { ...env, ...added };
}

/** Whether variables name a provider. */
function hasProvider(env: Variables): boolean {
  return (
    isSet(env['LLM_PROVIDER']) ||
    ['OPENAI', 'ANTHROPIC', 'GEMINI'].some(
      (prefix) => isSet(env[`${prefix}_API_KEY`]) || (prefix === 'OPENAI' && isSet(env['OPENAI_BASE_URL'])),
    )
  );
}

async function storeKey(id: string, key: string, env: Variables): Promise<'keychain' | 'file'> {
  const keychain = await openKeychain(env);
  if (keychain === undefined) return 'file';
  try {
    await keychain.store(accountOf(id), key);
    return 'keychain';
  } catch {
    // It is locked, or nothing is behind it.
    return 'file';
  }
}

async function findKey({ id, keyIn, key }: StoredProvider, env: Variables): Promise<string | undefined> {
  return keyIn === 'file' ? key : await (await openKeychain(env))?.find(accountOf(id));
}

function accountOf(id: string): string {
  return `models-${id}`;
}

async function change(
  env: Variables,
  edit: (before: readonly StoredProvider[]) => readonly StoredProvider[],
): Promise<void> {
  const file = modelsFile(env);
  try {
    const lock = await takeLock(`${file}.lock`);
    if (!lock.isTaken) {
      throw new CliError('configuration', `${file}: another parley is changing it; try again`);
    }
    try {
      const providers = edit(await readStoredProviders(env));
      await replaceUserFile(file, `${JSON.stringify({ providers }, undefined, 2)}\n`);
      // It may have been made with another mode by hand.
      await chmod(file, 0o600);
    } finally {
      await lock.release();
    }
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError('configuration', `${file}: ${toFileReason(error)}`, { cause: error });
  }
}

function isSet(value: string | undefined): boolean {
  return (value ?? '').trim() !== '';
}
