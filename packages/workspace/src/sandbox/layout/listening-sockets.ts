import { lstat, readFile } from 'node:fs/promises';
import path from 'node:path';
import { mountedPaths } from './other-paths.ts';

/** Returns the paths of the Unix sockets that programs outside listen on: Docker's, agents for keys, D-Bus. Linux only. */
export async function listeningSockets(): Promise<readonly string[]> {
  const text = await readFile('/proc/net/unix', 'utf8').catch(() => '');
  // Num, RefCount, Protocol, Flags (__SO_ACCEPTCON while listening), Type, State, Inode, Path.
  const paths = text.split('\n').flatMap((line) => {
    // A path in `/proc` is that of a placeholder.
    const [, found] = /^\S+ \S+ \S+ \S+ \S+ \S+ +\d+ (\/(?!proc\/).*)$/u.exec(line) ?? [];
    return found === undefined ? [] : [found];
  });
  const named = [process.env['SSH_AUTH_SOCK'], process.env['DOCKER_HOST']?.replace(/^unix:\/\//u, '')];
  const candidates = new Set([
    ...paths,
    ...named.filter((each) => each !== undefined),
    ...usualSockets,
    // One that is mounted into a container listens in another network namespace.
    ...(await mountedPaths()),
  ]);
  const checked = await Promise.all(
    [...candidates].map(async (each) => ((await isSocket(each)) ? [each] : [])),
  );
  return checked.flat();
}

const usualSockets = ['/var/run/docker.sock', '/run/docker.sock', '/run/containerd/containerd.sock'] as const;

/** Folders of programs that run as other users, or have keys: their sockets can appear, or be replaced, while a sandbox is open. */
export function socketFolders(homes: readonly string[]): readonly string[] {
  return homes.flatMap((home) => usualFolders.map((name) => path.join(home, name)));
}

const usualFolders = [
  '.docker/run',
  '.docker/desktop',
  '.colima/default',
  '.orbstack/run',
  '.1password',
] as const;

async function isSocket(file: string): Promise<boolean> {
  const stats = await lstat(file).catch(() => undefined);
  return stats?.isSocket() === true;
}
