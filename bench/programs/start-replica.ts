import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startParley, type ServedParley } from './parley-server.ts';

/** Where replicas are started, and with what. */
export interface ReplicaOptions {
  readonly command: string;
  /** The database. */
  readonly url: string;
  /** A folder for their files. */
  readonly folder: string;
  readonly leaseSeconds: number;
  /** The program of the agent that sessions may use: `paced`. */
  readonly agent: string;
}

/** Starts a replica of `parley serve`. All of them have the workspace {@link sharedFolder}. */
export async function startReplica(
  name: string,
  { command, url, folder, leaseSeconds, agent }: ReplicaOptions,
): Promise<ServedParley> {
  const home = join(folder, name);
  await mkdir(home, { recursive: true });
  await mkdir(sharedFolder(folder), { recursive: true });
  const agents = { paced: { command: process.execPath, args: [agent] } };
  await writeFile(join(home, 'config.json'), JSON.stringify({ agents }));
  const flags = ['--store', url, '--replica', name, '--lease', String(leaseSeconds)];
  return startParley({
    command,
    home,
    flags: [...flags, '--workspace', `shared=${sharedFolder(folder)}`],
  });
}

/** The workspace of all replicas. */
export function sharedFolder(folder: string): string {
  return join(folder, 'shared');
}
