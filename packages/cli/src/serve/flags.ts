import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { CliError } from '../cli-error.ts';
import type { Variables } from '../configuration/places.ts';
import { servedFolder } from '../configuration/places.ts';
import { parseCount } from '../flag-values.ts';
import { decodeInput, readInputFile, toFileReason } from '../input-file.ts';
import { readOrMakeToken } from './own-token-file.ts';

/** The flags of `parley serve`, as they were typed. */
export interface TypedServeFlags {
  readonly host?: string;
  readonly port?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly store?: string;
  readonly allowOrigin?: readonly string[];
  readonly workspace?: readonly string[];
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly maxAgents?: string;
  readonly config?: string;
  readonly open?: boolean;
}

/** The flags of `parley serve`. */
export interface ServeFlags {
  readonly host: string;
  readonly port: number;
  /** @default none: browsers sign in by a link */
  readonly token?: GivenToken;
  /** Where sessions are kept. */
  readonly store: string;
  readonly allowedOrigins: readonly string[];
  /** The folders sessions may use, by their real paths; the first is the default. */
  readonly workspaces: readonly [string, ...string[]];
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly maxAgents: number;
  readonly configFile?: string;
  /** A browser is opened. */
  readonly open: boolean;
}

/** The user's own token. */
export interface GivenToken {
  readonly value: string;
  readonly from: 'flag' | 'variable' | 'file';
}

const defaultPort = 7717;
const defaultMaxAgents = 64;

/** A token has to be typed on one line of a header. */
const tokenPattern = /^[\x21-\x7E]{8,512}$/u;

/** Reads the flags of `parley serve`, and the files they name. */
export async function parseServeFlags(
  flags: TypedServeFlags,
  { cwd, env }: { readonly cwd: string; readonly env: Variables },
): Promise<ServeFlags> {
  const token = await readToken(flags, { cwd, env });
  const tls = await readCertificate(flags, cwd);
  const [first = cwd, ...more] = flags.workspace ?? [];
  return {
    host: flags.host ?? '127.0.0.1',
    port: flags.port === undefined ? defaultPort : parsePort(flags.port),
    ...(token !== undefined && { token }),
    store: flags.store === undefined ? servedFolder(env) : path.resolve(cwd, flags.store),
    allowedOrigins: (flags.allowOrigin ?? []).map(parseOrigin),
    workspaces: [
      await realFolder(first, cwd),
      ...(await Promise.all(more.map((folder) => realFolder(folder, cwd)))),
    ],
    ...(tls !== undefined && { tls }),
    maxAgents: flags.maxAgents === undefined ? defaultMaxAgents : parseCount('--max-agents', flags.maxAgents),
    open: flags.open === true,
    ...(flags.config !== undefined && { configFile: path.resolve(cwd, flags.config) }),
  };
}

async function readToken(
  { token, tokenFile }: TypedServeFlags,
  { cwd, env }: { readonly cwd: string; readonly env: Variables },
): Promise<GivenToken | undefined> {
  if (token !== undefined && tokenFile !== undefined) {
    throw new CliError('usage', '--token and --token-file were both given; give one of them');
  }
  if (tokenFile !== undefined) {
    return toToken(await readOrMakeToken(path.resolve(cwd, tokenFile)), 'file', `--token-file ${tokenFile}`);
  }
  if (token !== undefined) return toToken(token, 'flag', '--token');
  const { PARLEY_TOKEN: variable = '' } = env;
  return variable === '' ? undefined : toToken(variable, 'variable', 'PARLEY_TOKEN');
}

function toToken(value: string, from: GivenToken['from'], label: string): GivenToken {
  if (!tokenPattern.test(value)) {
    throw new CliError('usage', `${label}: expected 8 to 512 characters without spaces`);
  }
  return { value, from };
}

function parsePort(typed: string): number {
  const port = /^\d{1,5}$/u.test(typed) ? Number(typed) : Number.NaN;
  if (!(port <= 65_535)) throw new CliError('usage', `--port ${typed}: expected a number from 0 to 65535`);
  return port;
}

function parseOrigin(typed: string): string {
  if (typed === '*') return typed;
  const url = URL.canParse(typed) ? new URL(typed) : undefined;
  const isHttp = url?.protocol === 'https:' || url?.protocol === 'http:';
  // What has a path is no origin, and would never be equal to one.
  if (url === undefined || !isHttp || `${url.origin}/` !== `${typed.toLowerCase().replace(/\/$/u, '')}/`) {
    throw new CliError(
      'usage',
      `--allow-origin ${typed}: expected an origin such as https://app.example.com, or *`,
    );
  }
  return url.origin;
}

async function realFolder(typed: string, cwd: string): Promise<string> {
  try {
    const real = await realpath(path.resolve(cwd, typed));
    if ((await stat(real)).isDirectory()) return real;
  } catch (error) {
    throw new CliError('usage', `--workspace ${typed}: ${toFileReason(error)}`, { cause: error });
  }
  throw new CliError('usage', `--workspace ${typed}: not a directory`);
}

async function readCertificate(
  { tlsCert, tlsKey }: TypedServeFlags,
  cwd: string,
): Promise<ServeFlags['tls'] | undefined> {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined) {
    throw new CliError('usage', '--tls-cert and --tls-key: each needs the other');
  }
  const read = async (flag: string, file: string): Promise<string> => {
    const label = `${flag} ${file}`;
    return decodeInput(await readInputFile(path.resolve(cwd, file), { label, code: 'usage' }), {
      label,
      code: 'usage',
    });
  };
  return { cert: await read('--tls-cert', tlsCert), key: await read('--tls-key', tlsKey) };
}
