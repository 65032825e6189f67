import {
  GatewayError,
  isExpired,
  scopes,
  tokenFile,
  type StoredToken,
  type TokenFile,
} from '@parley/gateway';
import { CliError } from '../../cli-error.ts';
import { tokensFile } from '../../configuration/places.ts';
import { exitStatus } from '../../exit-status.ts';
import { parseAge, parseWord } from '../../flag-values.ts';
import { toColumns } from '../../output/columns.ts';
import { withDatabase } from '../../store/open-database.ts';
import type { Surroundings } from '../../surroundings.ts';

/** The flags of `parley serve tokens …`. `--store` is one of `serve` too, which takes it wherever it is typed. */
export interface TypedTokenFlags {
  readonly scope?: string;
  readonly expires?: string;
  readonly json?: boolean;
  readonly store?: string;
}

/** `parley serve tokens add NAME`. */
export async function addToken(
  name: string,
  { scope = 'use', expires, json, store }: TypedTokenFlags,
  surroundings: Surroundings,
): Promise<number> {
  if (!/^[\w.@-]{1,64}$/u.test(name)) {
    throw new CliError('usage', `tokens add ${JSON.stringify(name)}: expected letters, digits and _ . @ -`);
  }
  try {
    const [token, stored] = await withTokens(store, surroundings, async (tokens) => {
      const added = await tokens.add({
        name,
        scope: parseWord('--scope', scope, scopes),
        ...(expires !== undefined && { lifetimeMs: parseLifetime(expires) }),
      });
      return [added, (await tokens.list()).find((each) => each.name === name)] as const;
    });
    if (json === true) print(surroundings, { ...(stored !== undefined && toShown(stored)), token });
    else surroundings.stdout.write(`${token}\n`);
    return exitStatus.done;
  } catch (error) {
    if (error instanceof GatewayError) throw new CliError('usage', error.message, { cause: error });
    throw error;
  }
}

/** `parley serve tokens list`. */
export async function listTokens(
  { json, store }: TypedTokenFlags,
  surroundings: Surroundings,
): Promise<number> {
  const { stdout } = surroundings;
  const tokens = await withTokens(store, surroundings, (stored) => stored.list());
  if (json === true) {
    print(surroundings, { tokens: tokens.map(toShown) });
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
      ? 'No named tokens; "parley serve tokens add NAME" creates one.\n'
      : `${toColumns([['NAME', 'SCOPE', 'SINCE', 'EXPIRES'], ...rows]).join('\n')}\n`,
  );
  return exitStatus.done;
}

/** `parley serve tokens revoke NAME`. */
export async function revokeToken(
  name: string,
  { json, store }: TypedTokenFlags,
  surroundings: Surroundings,
): Promise<number> {
  if (!(await withTokens(store, surroundings, (tokens) => tokens.revoke(name)))) {
    throw new CliError(
      'usage',
      `no token ${JSON.stringify(name)}; "parley serve tokens list" lists the tokens`,
    );
  }
  if (json === true) print(surroundings, { name, revoked: true });
  else surroundings.stdout.write(`Revoked ${name}.\n`);
  return exitStatus.done;
}

/** A token as `--json` prints it, without its hash. */
function toShown(stored: StoredToken): object {
  const { id, name, scope, createdAt, expiresAt = null } = stored;
  return { id, name, scope, createdAt, expiresAt, expired: isExpired(stored, Date.now()) };
}

function print({ stdout }: Pick<Surroundings, 'stdout'>, document: object): void {
  stdout.write(`${JSON.stringify(document, undefined, 2)}\n`);
}

function withTokens<Result>(
  store: string | undefined,
  surroundings: Surroundings,
  run: (tokens: TokenFile) => Promise<Result>,
): Promise<Result> {
  return withDatabase(store, surroundings, (database) =>
    run(tokenFile(database?.document('tokens') ?? tokensFile(surroundings.env))),
  );
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
