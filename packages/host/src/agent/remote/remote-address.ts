/** Where a remote agent is: the scheme says how it is spoken to. */
export interface RemoteAddress {
  readonly via: 'http' | 'websocket';
  readonly url: string;
  /** The address without what may be a secret in it, for messages. */
  readonly name: string;
  /** Whether what is sent is encrypted, or stays on this machine. */
  readonly isPrivate: boolean;
  /** Whether it is on this machine. */
  readonly isLoopback: boolean;
}

/** Reads the address of a remote agent; undefined when it is none, or has a name or a password in it. */
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
