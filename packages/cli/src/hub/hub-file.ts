import { closeSync, constants, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { isJsonObject } from '@parley/wire';
import { hubFile, type Variables } from '../configuration/places.ts';
import { replaceUserFile } from '../configuration/replace-user-file.ts';

/** A server that runs on this machine, as it says so in `hub.json`. */
export interface RunningHub {
  readonly url: string;
  readonly pid: number;
  /** ISO 8601. */
  readonly startedAt: string;
  /** Of scope `admin`, valid while the server runs. */
  readonly token: string;
}

/** The entry of a server in `hub.json`. */
export interface PublishedHub {
  /** Removes it, unless another server has replaced it. A second signal may end the process directly after that. */
  remove(): void;
}

/**
 * Lets the commands of this user find a server. An entry of another server is replaced: the newest counts. The replaced
 * entry is back when this server ends, if its own still runs.
 */
export async function publishHub(
  { url, token }: Pick<RunningHub, 'url' | 'token'>,
  env: Variables,
): Promise<PublishedHub> {
  const file = hubFile(env);
  const hub: RunningHub = { url, pid: process.pid, startedAt: new Date().toISOString(), token };
  const replaced = await findRunningHub(env);
  // An existing file must neither lend its mode to the token, nor be a link to elsewhere.
  await rm(file, { force: true });
  await replaceUserFile(file, toText(hub));
  return {
    remove: () => {
      if (tokenIn(file) !== token) return;
      rmSync(file, { force: true });
      if (replaced === undefined || !isAlive(replaced.pid)) return;
      writeFileSync(file, toText(replaced), { mode: 0o600, flag: 'wx' });
    },
  };
}

function toText(hub: RunningHub): string {
  return `${JSON.stringify(hub)}\n`;
}

function tokenIn(file: string): string | undefined {
  try {
    const descriptor = openSync(file, openFlags);
    try {
      return parseHub(JSON.parse(readFileSync(descriptor, 'utf8')))?.token;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // Not there, or damaged: it is not ours any more.
    return undefined;
  }
}

/** The server that runs on this machine; undefined if there is none, or its process has ended. */
export async function findRunningHub(env: Variables): Promise<RunningHub | undefined> {
  const hub = await readFileOf(hubFile(env));
  return hub !== undefined && isAlive(hub.pid) ? hub : undefined;
}

/** Reads only a file that no other user could have written: commands send their prompts to the address in it. */
async function readFileOf(file: string): Promise<RunningHub | undefined> {
  try {
    await using handle = await open(file, openFlags);
    const stats = await handle.stat();
    if (!stats.isFile() || stats.size > mostBytes || !isPrivate(stats)) return undefined;
    return parseHub(JSON.parse(await handle.readFile('utf8')));
  } catch {
    // Not there, or damaged: a server that starts writes another.
    return undefined;
  }
}

function isPrivate({ uid, mode }: { readonly uid: number; readonly mode: number }): boolean {
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0);
}

function parseHub(value: unknown): RunningHub | undefined {
  if (!isJsonObject(value)) return undefined;
  const { url, pid, startedAt, token } = value;
  if (typeof url !== 'string' || typeof token !== 'string' || typeof startedAt !== 'string') return undefined;
  return typeof pid === 'number' && Number.isSafeInteger(pid) && pid > 0
    ? { url, pid, startedAt, token }
    : undefined;
}

/** Whether a process of this user has this id. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Size of a hub file. */
const mostBytes = 16 * 1024;

/** Neither a link nor a pipe is followed. Windows has no flag for links. */
const openFlags =
  constants.O_RDONLY | constants.O_NONBLOCK | (process.platform === 'win32' ? 0 : constants.O_NOFOLLOW);
