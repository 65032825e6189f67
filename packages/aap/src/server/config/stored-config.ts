import type { AgentConfig } from '../../agent-info.ts';
import type { ServerToolRef } from '../../tool.ts';
import type { SecretVault } from '../secret-vault.ts';

/** How an agent is set, as it is kept: secrets are sealed, even if `/meta` describes the option otherwise later. */
export interface StoredConfig {
  readonly name: string;
  readonly tools?: readonly ServerToolRef[];
  readonly options?: Readonly<Record<string, StoredOption>>;
}

/** The value of an option. */
export type StoredOption = string | { readonly sealed: string };

/** Replaces a secret in answers, and in a request means the one that was given before. */
export const redacted = '***';

/** A configuration as applications see it. */
export function toShownConfig({ options, ...config }: StoredConfig): AgentConfig {
  if (options === undefined) return config;
  return {
    ...config,
    options: Object.fromEntries(
      Object.entries(options).map(([name, value]) => [name, typeof value === 'string' ? value : redacted]),
    ),
  };
}

/** Options with their secrets in plain, and the names of those that cannot be opened any more. */
export async function openOptions(
  options: StoredConfig['options'] = {},
  vault: SecretVault,
): Promise<{ readonly values: Readonly<Record<string, string>>; readonly lost: readonly string[] }> {
  const opened = await Promise.all(
    Object.entries(options).map(async ([name, value]): Promise<readonly [string, string | undefined]> =>
      typeof value === 'string' ? [name, value] : [name, await vault.open(value.sealed)],
    ),
  );
  return {
    values: Object.fromEntries(
      opened.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
    lost: opened.flatMap(([name, value]) => (value === undefined ? [name] : [])),
  };
}
