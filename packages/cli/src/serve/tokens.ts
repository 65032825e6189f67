import { GatewayError, isExpired, scopes, tokenFile, type StoredToken } from '@parley/gateway';
import { CliError } from '../cli-error.ts';
import { tokensFile } from '../configuration/places.ts';
import { exitStatus } from '../exit-status.ts';
import { parseAge, parseWord } from '../flag-values.ts';
import { toColumns } from '../output/columns.ts';
import type { Surroundings } from '../surroundings.ts';

/** `parley serve tokens add NAME`. */
export async function addToken(
  name: string,
  { scope = 'use', expires }: { readonly scope?: string; readonly expires?: string },
  { env, stdout }: Surroundings,
): Promise<number> {
  if (!/^[\w.@-]{1,64}$/u.test(name)) {
    throw new CliError('usage', `tokens add ${JSON.stringify(name)}: expected letters, digits and _ . @ -`);
  }
  try {
    const token = await tokenFile(tokensFile(env)).add({
      name,
      scope: parseWord('--scope', scope, scopes),
      ...(expires !== undefined && { lifetimeMs: parseLifetime(expires) }),
    });
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
    const shown = tokens.map((token) => {
      const { id, name, scope, createdAt, expiresAt = null } = token;
      return { id, name, scope, createdAt, expiresAt, expired: isExpired(token, Date.now()) };
    });
    stdout.write(`${JSON.stringify({ tokens: shown }, undefined, 2)}\n`);
    return exitStatus.done;
  }
  const rows = tokens.map((token) => [
    token.name,
    token.scope,
    token.createdAt.slice(0, 10),
    toExpiry(token),
  ]);
  stdout.write(
    rows.length === 0
      ? 'There are no tokens; "parley serve tokens add NAME" makes one.\n'
      : `${toColumns([['NAME', 'SCOPE', 'SINCE', 'EXPIRES'], ...rows]).join('\n')}\n`,
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

function parseLifetime(typed: string): number {
  const lifetimeMs = parseAge('--expires', typed);
  if (lifetimeMs > 0) return lifetimeMs;
  throw new CliError('usage', `--expires ${typed}: expected more than 0`);
}

/** To the minute, for a token may be valid for less than a day. */
function toExpiry(token: StoredToken): string {
  if (token.expiresAt === undefined) return 'never';
  const at = `${token.expiresAt.slice(0, 16).replace('T', ' ')} UTC`;
  return isExpired(token, Date.now()) ? `${at} (expired)` : at;
}
