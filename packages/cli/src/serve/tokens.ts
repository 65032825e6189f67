import { GatewayError, scopes, tokenFile } from '@parley/gateway';
import { CliError } from '../cli-error.ts';
import { tokensFile } from '../configuration/places.ts';
import { exitStatus } from '../exit-status.ts';
import { parseWord } from '../flag-values.ts';
import { toColumns } from '../output/columns.ts';
import type { Surroundings } from '../surroundings.ts';

/** `parley serve tokens add NAME`. */
export async function addToken(
  name: string,
  { scope = 'use' }: { readonly scope?: string },
  { env, stdout }: Surroundings,
): Promise<number> {
  if (!/^[\w.@-]{1,64}$/u.test(name)) {
    throw new CliError('usage', `tokens add ${JSON.stringify(name)}: expected letters, digits and _ . @ -`);
  }
  try {
    const token = await tokenFile(tokensFile(env)).add(name, parseWord('--scope', scope, scopes));
    stdout.write(`${token}\n`);
    return exitStatus.done;
  } catch (error) {
    if (error instanceof GatewayError) throw new CliError('usage', error.message, { cause: error });
    throw error;
  }
}

/** `parley serve tokens list`. */
export async function listTokens(
  { json }: { readonly json?: boolean },
  { env, stdout }: Surroundings,
): Promise<number> {
  const tokens = await tokenFile(tokensFile(env)).list();
  if (json === true) {
    const shown = tokens.map(({ name, scope, createdAt }) => ({ name, scope, createdAt }));
    stdout.write(`${JSON.stringify({ tokens: shown }, undefined, 2)}\n`);
    return exitStatus.done;
  }
  const rows = tokens.map(({ name, scope, createdAt }) => [name, scope, createdAt.slice(0, 10)]);
  stdout.write(
    rows.length === 0
      ? 'There are no tokens; "parley serve tokens add NAME" makes one.\n'
      : `${toColumns([['NAME', 'SCOPE', 'SINCE'], ...rows]).join('\n')}\n`,
  );
  return exitStatus.done;
}

/** `parley serve tokens revoke NAME`. */
export async function revokeToken(name: string, { env, stdout }: Surroundings): Promise<number> {
  if (!(await tokenFile(tokensFile(env)).revoke(name))) {
    throw new CliError('usage', `there is no token ${JSON.stringify(name)}; see parley serve tokens list`);
  }
  stdout.write(`Revoked ${name}.\n`);
  return exitStatus.done;
}
