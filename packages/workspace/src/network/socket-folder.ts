import { chmod, readdir, rm } from 'node:fs/promises';
import { connect, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processWatchdog } from '../process/watchdog.ts';
import { createWatchedFolder } from '../process/watched-folder.ts';

/** The name of the socket in its folder. */
const socketName = 'socket';

/** The beginning of the names of our folders. */
const prefix = 'parley-net-';

/** Maximum length of a socket's path on every system, without the file name. */
const mostPathBytes = 80;

/** Leftover folders that are looked at. */
const mostLeftovers = 64;

/** A folder for one socket that no other user can enter. */
export interface SocketFolder {
  readonly folder: string;
  readonly socketPath: string;
  /** Removes the folder. Never rejects. */
  remove(): Promise<void>;
}

/**
 * Listens on a Unix socket in a new folder that only this user can enter. The watchdog removes it if Parley is
 * killed; folders of killed watchdogs are removed too.
 */
export async function listenInSocketFolder(
  server: Server,
  parent: string = socketParent(),
): Promise<SocketFolder> {
  const created = await createSocketFolder(parent);
  try {
    await listen(server, created.socketPath);
    await chmod(created.socketPath, 0o600);
  } catch (error) {
    await created.remove();
    throw error;
  }
  return created;
}

async function createSocketFolder(parent: string): Promise<SocketFolder> {
  await removeLeftovers(parent);
  const folder = createWatchedFolder(parent, prefix);
  await chmod(folder, 0o700);
  const remove = async (): Promise<void> => {
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
    processWatchdog.removeFolder(folder);
  };
  return { folder, socketPath: join(folder, socketName), remove };
}

function listen(server: Server, socketPath: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(socketPath, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function socketParent(): string {
  const usual = tmpdir();
  return Buffer.byteLength(usual) > mostPathBytes ? '/tmp' : usual;
}

async function removeLeftovers(parent: string): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  const folders = names.filter((name) => name.startsWith(prefix)).slice(0, mostLeftovers);
  await Promise.all(
    folders.map(async (name) => {
      const folder = join(parent, name);
      if (!(await isAbandoned(join(folder, socketName)))) return;
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
    }),
  );
}

/** Whether no process listens on a socket. */
function isAbandoned(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', (error) => {
      resolve('code' in error && error.code === 'ECONNREFUSED');
    });
  });
}
