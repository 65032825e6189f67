import type { AgentInfo } from '../../agent-info.ts';
import { RequestError } from '../request-error.ts';
import type { SecretVault } from '../secret-vault.ts';
import { redacted, type StoredConfig, type StoredOption } from './stored-config.ts';

/**
 * Options as they should be stored, with previous options that stay unchanged. A redacted secret means the one that was given
 * before.
 */
export async function sealOptions(
  info: AgentInfo,
  options: Readonly<Record<string, string>> | undefined,
  { vault, before }: { readonly vault: SecretVault; readonly before?: StoredConfig['options'] | undefined },
): Promise<StoredConfig['options']> {
  if (options === undefined) return before;
  const sealed = await Promise.all(
    Object.entries(options).map(async ([name, value]): Promise<readonly [string, StoredOption]> => {
      if (info.options?.find((option) => option.name === name)?.type !== 'secret') return [name, value];
      if (value !== redacted) return [name, { sealed: await vault.seal(value) }];
      const known = before?.[name];
      if (known !== undefined) return [name, known];
      throw new RequestError(
        400,
        'invalid_option',
        `agent.options.${name}: ${redacted} refers to a stored secret, but none is stored`,
      );
    }),
  );
  return { ...before, ...Object.fromEntries(sealed) };
}
