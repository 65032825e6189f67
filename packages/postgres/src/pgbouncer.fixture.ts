import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The program of PgBouncer, if it is installed; Debian has it where only `root` looks for programs. */
export const pgbouncer: string | undefined = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin']
  .map((folder) => path.join(folder, 'pgbouncer'))
  .find((file) => existsSync(file));

/** PgBouncer before a database. */
export interface TestPgbouncer extends AsyncDisposable {
  readonly url: string;
}

/** Starts PgBouncer with its default settings, but for the mode and size of its pools: each store has several connections. @param url That of the database, with user and password */
export async function startPgbouncer(url: string, mode: 'session' | 'transaction'): Promise<TestPgbouncer> {
  if (pgbouncer === undefined) throw new Error('pgbouncer is not installed');
  const home = await mkdtemp(path.join(tmpdir(), 'parley-pgbouncer-'));
  const { hostname, port, username, password, pathname } = new URL(url);
  const own = await freePort();
  const settings = path.join(home, 'pgbouncer.ini');
  const users = path.join(home, 'users.txt');
  await writeFile(users, `"${username}" "${password}"\n`, { mode: 0o600 });
  await writeFile(
    settings,
    [
      '[databases]',
      `${pathname.slice(1)} = host=${hostname} port=${port}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${String(own)}`,
      'unix_socket_dir =',
      'auth_type = scram-sha-256',
      `auth_file = ${users}`,
      `pool_mode = ${mode}`,
      'default_pool_size = 100',
      '',
    ].join('\n'),
  );
  const isRoot = process.getuid?.() === 0;
  await chmod(home, 0o755);
  if (isRoot) await chown(users, unprivilegedId, unprivilegedId);
  const child = spawn(pgbouncer, [settings], {
    stdio: ['ignore', 'ignore', 'pipe'],
    // It refuses to run as `root`.
    ...(isRoot && { uid: unprivilegedId, gid: unprivilegedId }),
  });
  // A test that is killed leaves nothing behind.
  const kill = (): void => void child.kill('SIGQUIT');
  process.once('exit', kill);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    let written = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      written += text;
      if (written.includes('process up')) resolve();
    });
    child.once('error', reject);
    child.once('close', (status) => {
      reject(new Error(`PgBouncer ended with status ${String(status)}: ${written}`));
    });
  });
  const through = new URL(url);
  through.port = String(own);
  return {
    url: through.href,
    [Symbol.asyncDispose]: async () => {
      process.off('exit', kill);
      kill();
      await ended;
      await rm(home, { recursive: true, force: true });
    },
  };
}

const unprivilegedId = 65_534;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
