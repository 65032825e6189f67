import { existsSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ConnectionOptions } from 'node:tls';
import postgres, { type PostgresType, type Sql } from 'postgres';
import { Listening } from './listening.ts';
import { passwordIn } from './password-file.ts';
import { Pool, type OpenDriver } from './pool.ts';

/** Connections of one process, beside the one that listens and the one for signs of life. */
const mostConnections = 6;

/** How long a connection may take, in seconds. */
const connectSeconds = 10;

/** The longest pause between attempts to connect, in seconds. */
const mostBackoffSeconds = 1;

/** The connections to a database. */
export interface Connections {
  readonly sql: Sql;
  /** One connection, for statements that must not wait for others. */
  readonly signs: Sql;
  /** Breaks all connections; what was sent over them is rejected, and new ones are made. */
  breakAll(): void;
  /** Ends them when what was sent is answered, or after a while. */
  end(): Promise<void>;
}

/**
 * Opens connections to a database when they are needed. TLS, host, user and password come from libpq's variables where the URL does not name them:
 * https://www.postgresql.org/docs/current/libpq-envars.html
 *
 * @param url `postgres://USER@HOST:PORT/DATABASE`
 */
export function connect(url: string, env: NodeJS.ProcessEnv): Connections {
  const ssl = tlsOf(new URL(url).searchParams.get('sslmode') ?? env['PGSSLMODE'], env);
  let attempts = 0;
  const options = {
    connect_timeout: connectSeconds,
    // Statements and their plans are few; a pooler in transaction mode cannot hold them, but it cannot listen either.
    prepare: true,
    // A connection that ends by itself is one that was lost.
    idle_timeout: 0,
    max_lifetime: null,
    onnotice: () => undefined,
    // The driver would ask each new connection which types are arrays, and nothing handles it when that fails.
    fetch_types: false,
    types: arrayTypes,
    backoff: (attempt: number) => Math.min(0.05 * 2 ** attempt, mostBackoffSeconds),
    password: (): string => passwordFor(url, env),
    // No others: PgBouncer refuses connections with startup parameters that it does not know.
    connection: { application_name: 'parley' },
    ssl,
  };
  const open =
    (max: number): OpenDriver =>
    (createSocket) => {
      const socket = ({ host, port, path }: SocketTarget): Socket => {
        const at = attempts % host.length;
        attempts += 1;
        const name = host[at] ?? 'localhost';
        const created = createSocket();
        created.connect(typeof path === 'string' ? { path } : { host: name, port: port[at] ?? 5432 });
        // The name that a certificate is checked against.
        return Object.assign(created, { host: name });
      };
      const own = { ...options, max, socket };
      return postgres(withoutSslMode(url), own);
    };
  const listening = new Listening(open(1));
  const pools = [
    new Pool(open(mostConnections), { listen: (...words) => listening.listen(...words) }),
    new Pool(open(1)),
  ] as const;
  const [{ sql }, { sql: signs }] = pools;
  return {
    sql,
    signs,
    end: async () => {
      await Promise.all([listening, ...pools].map((connections) => connections.end()));
    },
    breakAll: () => {
      for (const connections of [listening, ...pools]) connections.breakAll();
    },
  };
}

/** The arrays in our statements, by the object ids of their types. No result has any. */
const arrayTypes = {
  texts: arrayType(1009),
  bigints: arrayType(1016),
};

function arrayType(oid: number): PostgresType<unknown> {
  return { to: oid, from: [], serialize: toArrayText, parse: (text: unknown) => text };
}

/** An array as PostgreSQL reads it. A text is one already. */
function toArrayText(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const elements: readonly (string | number | null)[] = value;
  return `{${elements.map(toElement).join(',')}}`;
}

function toElement(value: string | number | null): string {
  return value === null ? 'null' : `"${String(value).replace(/["\\]/gu, String.raw`\$&`)}"`;
}

/** Where postgres.js wants to connect to. */
interface SocketTarget {
  readonly host: readonly string[];
  readonly port: readonly number[];
  /** Of a Unix socket. */
  readonly path: unknown;
}

/** The password in the URL, else by libpq's rules. */
function passwordFor(url: string, env: NodeJS.ProcessEnv): string {
  const { password, hostname, port, pathname, username } = new URL(url);
  if (password !== '') return decodeURIComponent(password);
  const { PGPASSWORD: variable = '', PGPASSFILE: file = join(homedir(), '.pgpass') } = env;
  if (variable !== '') return variable;
  const database = decodeURIComponent(pathname.slice(1));
  const user = decodeURIComponent(username);
  return (
    passwordIn(file, {
      host: hostname === '' ? (env['PGHOST'] ?? 'localhost') : hostname,
      port: port === '' ? (env['PGPORT'] ?? '5432') : port,
      user: user === '' ? (env['PGUSER'] ?? '') : user,
      database: database === '' ? (env['PGDATABASE'] ?? user) : database,
    }) ?? ''
  );
}

/** The URL as a message may name it: without password. */
export function nameOf(url: string): string {
  const shown = new URL(url);
  shown.password = '';
  return shown.href;
}

function withoutSslMode(url: string): string {
  const plain = new URL(url);
  plain.searchParams.delete('sslmode');
  return plain.href;
}

/** What libpq's modes mean for Node's TLS. @throws {TypeError} Unknown mode. */
function tlsOf(mode: string | undefined, env: NodeJS.ProcessEnv): ConnectionOptions | 'prefer' | false {
  switch (mode) {
    case undefined:
    case '':
    case 'prefer':
    case 'allow':
      return 'prefer';
    case 'disable':
      return false;
    case 'require':
      return { ...filesOf(env), rejectUnauthorized: false };
    case 'verify-ca':
      return { ...filesOf(env), checkServerIdentity: () => undefined };
    case 'verify-full':
      return filesOf(env);
    default:
      throw new TypeError(
        `sslmode ${JSON.stringify(mode)} is unknown; use disable, prefer, require, verify-ca or verify-full`,
      );
  }
}

function filesOf(env: NodeJS.ProcessEnv): ConnectionOptions {
  const [ca, cert, key] = tlsFiles.map(([variable, name]) => {
    const file = env[variable] ?? '';
    // Those of the system.
    if (variable === 'PGSSLROOTCERT' && file === 'system') return undefined;
    if (file !== '') return readFileSync(file);
    const usual = join(homedir(), '.postgresql', name);
    return existsSync(usual) ? readFileSync(usual) : undefined;
  });
  return {
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
  };
}

/** The variables of libpq that name files, and the names that they have otherwise in `~/.postgresql`. */
const tlsFiles = [
  ['PGSSLROOTCERT', 'root.crt'],
  ['PGSSLCERT', 'postgresql.crt'],
  ['PGSSLKEY', 'postgresql.key'],
] as const;
