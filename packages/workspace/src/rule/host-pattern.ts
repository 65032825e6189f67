/**
 * Checks whether a rule's host covers a requested host; undefined if one of them is not a valid host.
 *
 * @param extent How much a host without a port covers: its usual ports, or each of its ports.
 */
export function matchesHost(
  pattern: string,
  host: string,
  extent: 'usual-ports' | 'each-port',
): boolean | undefined {
  const isBelow = pattern.startsWith('*.');
  const wanted = parseHost(isBelow ? pattern.slice(2) : pattern);
  const actual = parseHost(host);
  if (wanted === undefined || actual === undefined) return undefined;
  const isNamed = isBelow ? actual.name.endsWith(`.${wanted.name}`) : actual.name === wanted.name;
  if (!isNamed) return false;
  if (wanted.port === undefined) return extent === 'each-port' || isUsual(actual.port);
  // Without a port, the requested one is that of HTTP or HTTPS.
  return wanted.port === actual.port || (actual.port === undefined && isUsual(wanted.port));
}

/** Describes what is wrong with a rule's host. */
export function hostFault(pattern: string): string | undefined {
  const name = pattern.startsWith('*.') ? pattern.slice(2) : pattern;
  return parseHost(name) === undefined ? 'must be a host, like "example.com" or "*.example.com"' : undefined;
}

/** A host, and a port if one is named. */
export interface Host {
  /** As a URL has it: in lower case, names in ASCII, without a dot at the end. */
  readonly name: string;
  readonly port?: number;
}

/** Parses `name`, `name:port`, an address, or an IPv6 address in brackets; undefined if it is anything else. */
export function parseHost(text: string): Host | undefined {
  if (text.length > mostCharacters || /[\s/?#@\\*%]/u.test(text)) return undefined;
  if (!URL.canParse(`http://${text}`)) return undefined;
  const name = new URL(`http://${text}`).hostname.replace(/\.$/u, '');
  const port = /:(?<port>\d+)$/u.exec(text)?.groups?.['port'];
  return name === '' ? undefined : { name, ...(port !== undefined && { port: Number(port) }) };
}

function isUsual(port: number | undefined): boolean {
  return port === undefined || port === 443 || port === 80;
}

/** Characters of a pattern. */
const mostCharacters = 1024;
