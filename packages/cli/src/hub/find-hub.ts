import type { RemoteAddress } from '@parley/host';
import { CliError } from '../cli-error.ts';
import type { Variables } from '../configuration/places.ts';
import { parseRemote } from '../conversation/agent/remote.ts';
import { serverKey } from '../conversation/agent/server-key.ts';
import { findRunningHub } from './hub-file.ts';

/** Which hub is meant: one whose address was typed or set, else the one that runs on this machine. */
export interface HubChoice {
  /** Of `--url`. */
  readonly url?: string;
  /** Of `--token`. */
  readonly token?: string;
}

/** How a hub is reached. */
export interface HubAddress {
  /** The WebSocket on which it serves clients that watch and steer sessions. */
  readonly socketUrl: string;
  /** Without what may be a secret in it, for messages. */
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Its certificate need not be one that this machine trusts: the address and the token come from a file of this user's. */
  readonly isOwn: boolean;
}

/** What finding a hub needs. */
export interface FindHubOptions {
  readonly env: Variables;
  readonly warn: (message: string) => void;
}

/** The path below which a hub serves clients of sessions. */
const clientPath = '/acp';

/** @throws {CliError} `no-hub`: none runs on this machine; `usage` */
export async function findHub(choice: HubChoice, { env, warn }: FindHubOptions): Promise<HubAddress> {
  const typed = choice.url ?? env['PARLEY_URL'] ?? '';
  if (typed !== '') {
    const address = parseRemote(choice.url === undefined ? 'PARLEY_URL' : '--url', typed);
    const key = serverKey(address, {
      env,
      warn,
      ...(choice.token !== undefined && { typed: choice.token }),
    });
    return toHub(address, key, false);
  }
  const running = await findRunningHub(env);
  if (running === undefined) {
    throw new CliError(
      'no-hub',
      'no hub runs on this machine; start one with "parley serve", or name another with PARLEY_URL and PARLEY_TOKEN',
    );
  }
  const set = env['PARLEY_TOKEN'] ?? '';
  return toHub(
    parseRemote('hub.json', running.url),
    choice.token ?? (set === '' ? running.token : set),
    true,
  );
}

function toHub({ url }: RemoteAddress, key: string | undefined, isOwn: boolean): HubAddress {
  const socket = new URL(clientPath, url);
  socket.protocol = socket.protocol.replace(/^http/u, 'ws');
  return {
    socketUrl: socket.href,
    name: new URL(url).origin,
    headers: key === undefined ? {} : { Authorization: `Bearer ${key}` },
    isOwn,
  };
}
