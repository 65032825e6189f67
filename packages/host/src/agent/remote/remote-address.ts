/** The address of a remote agent; its scheme selects the transport. */
export interface RemoteAddress {
  readonly via: 'http' | 'websocket';
  readonly url: string;
  /** The address without possible secrets, for messages. */
  readonly name: string;
  /** Whether the connection is encrypted, or local to this machine. */
  readonly isPrivate: boolean;
  /** Whether the address is on this machine. */
  readonly isLoopback: boolean;
}

/** Parses the address of a remote agent; undefined if it is invalid, or contains a user name or password. */
export function parseRemoteAddress(text: string): RemoteAddress | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const via = schemes.get(url.protocol);
  if (via === undefined || url.username !== '' || url.password !== '') return undefined;
  url.hash = '';
  const isEncrypted = url.protocol === 'https:' || url.protocol === 'wss:';
  const isLoopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
  return {
    via,
    url: url.href,
    name: `${url.protocol}//${url.host}${url.pathname}`,
    isPrivate: isEncrypted || isLoopback,
    isLoopback,
  };
}

const schemes: ReadonlyMap<string, RemoteAddress['via']> = new Map([
  ['https:', 'http'],
  ['http:', 'http'],
  ['wss:', 'websocket'],
  ['ws:', 'websocket'],
]);
