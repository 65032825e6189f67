import { randomBytes } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import type { ReplicaWorkspace, SandboxChoice } from '@parley/host';
import { CliError } from '../cli-error.ts';
import type { Variables } from '../configuration/places.ts';
import { servedFolder } from '../configuration/places.ts';
import { parseCount, parseSandbox } from '../flag-values.ts';
import { decodeInput, readInputFile, toFolderReason } from '../input-file.ts';
import { parseStore } from '../store/parse-store.ts';
import { readOrMakeToken } from './token/own-token-file.ts';

/** The flags of `parley serve`, as typed. */
export interface TypedServeFlags {
  readonly host?: string;
  readonly port?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly store?: string;
  readonly replica?: string;
  readonly secretsKey?: string;
  readonly lease?: string;
  readonly allowOrigin?: readonly string[];
  readonly workspace?: readonly string[];
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly maxAgents?: string;
  readonly config?: string;
  readonly sandbox?: string;
  readonly open?: boolean;
}

/** The flags of `parley serve`. */
export interface ServeFlags {
  readonly host: string;
  readonly port: number;
  /** @default none: browsers sign in by a link */
  readonly token?: GivenToken;
  /** Where keys, browsers and the list of AAP sessions are stored that no database has. */
  readonly folder: string;
  /** The URL of the database that stores the sessions. @default files */
  readonly database?: string;
  /** The file with the key of stored secrets that all replicas have. @default a key of this machine */
  readonly secretsKey?: string;
  /** What other replicas call this one. */
  readonly replica: string;
  /** After how long without a sign of life other replicas take its sessions over. */
  readonly leaseMs: number;
  readonly allowedOrigins: readonly string[];
  /** The folders sessions may use, by their real paths; the first is the default. */
  readonly workspaces: readonly [string, ...string[]];
  /** The same folders, with the names by which other machines know them. */
  readonly namedWorkspaces: readonly ReplicaWorkspace[];
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly maxAgents: number;
  readonly configFile?: string;
  /** The mode of the sandbox of all sessions. @default the configuration's */
  readonly sandbox?: SandboxChoice;
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
  const secretsKey = flags.secretsKey ?? env['PARLEY_SECRETS_KEY'] ?? '';
  const place = parseStore(flags.store, { cwd, env }) ?? { kind: 'folder', folder: servedFolder(env) };
  const named = await Promise.all((flags.workspace ?? [cwd]).map((typed) => parseWorkspace(typed, cwd)));
  const [first = cwd, ...more] = named.map(({ folder }) => folder);
  return {
    host: parseHost(flags.host),
    port: flags.port === undefined ? defaultPort : parsePort(flags.port),
    ...(token !== undefined && { token }),
    folder: place.kind === 'folder' ? place.folder : servedFolder(env),
    ...(place.kind === 'database' && { database: place.url }),
    replica: parseReplica(flags.replica),
    ...(secretsKey !== '' && { secretsKey: path.resolve(cwd, secretsKey) }),
    leaseMs: parseLease(flags.lease),
    allowedOrigins: (flags.allowOrigin ?? []).map(parseOrigin),
    workspaces: [first, ...more],
    namedWorkspaces: named,
    ...(tls !== undefined && { tls }),
    maxAgents: flags.maxAgents === undefined ? defaultMaxAgents : parseCount('--max-agents', flags.maxAgents),
    open: flags.open === true,
    ...(flags.sandbox !== undefined && { sandbox: parseSandbox(flags.sandbox) }),
    ...(flags.config !== undefined && { configFile: path.resolve(cwd, flags.config) }),
  };
}

/** An empty one, as of a variable that is not set, would be every address of the machine. */
function parseHost(typed = '127.0.0.1'): string {
  if (typed.trim() !== '') return typed;
  throw new CliError('usage', '--host: expected an address or the name of a host');
}

/** `NAME=DIR`, else `DIR`: a folder whose own name has a `=` in it is found too. */
async function parseWorkspace(typed: string, cwd: string): Promise<ReplicaWorkspace> {
  const [, name, folder] = /^([\w.-]{1,64})=(.+)$/u.exec(typed) ?? [];
  if (name === undefined || folder === undefined) return { folder: await realFolder(typed, cwd) };
  const isFolder = (await stat(path.resolve(cwd, typed)).catch(() => undefined))?.isDirectory() === true;
  if (isFolder) return { folder: await realFolder(typed, cwd) };
  return { name, folder: await realFolder(folder, cwd, typed) };
}

const defaultLeaseSeconds = 10;
const leastLeaseSeconds = 2;

function parseLease(typed: string | undefined): number {
  const seconds = typed === undefined ? defaultLeaseSeconds : Number(/^\d{1,5}(\.\d+)?$/u.exec(typed)?.[0]);
  if (seconds >= leastLeaseSeconds) return seconds * 1000;
  throw new CliError(
    'usage',
    `--lease ${String(typed)}: expected seconds, at least ${String(leastLeaseSeconds)}`,
  );
}

/** The name that was given, else one that no other replica has. */
function parseReplica(typed: string | undefined): string {
  if (typed === undefined) return `${hostname()}-${randomBytes(3).toString('hex')}`;
  if (/^[\w.-]{1,64}$/u.test(typed)) return typed;
  throw new CliError(
    'usage',
    `--replica ${JSON.stringify(typed)}: expected up to 64 letters, digits and _ . -`,
  );
}

async function readToken(
  { token, tokenFile }: TypedServeFlags,
  { cwd, env }: { readonly cwd: string; readonly env: Variables },
): Promise<GivenToken | undefined> {
  if (token !== undefined && tokenFile !== undefined) {
    throw new CliError('usage', '--token and --token-file cannot be combined');
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

/** @param typed What the user typed, for messages. */
async function realFolder(folder: string, cwd: string, typed = folder): Promise<string> {
  try {
    const real = await realpath(path.resolve(cwd, folder));
    if ((await stat(real)).isDirectory()) return real;
  } catch (error) {
    throw new CliError('usage', `--workspace ${typed}: ${toFolderReason(error)}`, { cause: error });
  }
  throw new CliError('usage', `--workspace ${typed}: not a directory`);
}

async function readCertificate(
  { tlsCert, tlsKey }: TypedServeFlags,
  cwd: string,
): Promise<ServeFlags['tls'] | undefined> {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined) {
    throw new CliError('usage', '--tls-cert and --tls-key must be used together');
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
