/** How much a host without a port covers: its usual ports, or each of its ports. */
export type PortExtent = 'usual-ports' | 'each-port';

/** Whether a rule's host covers one that is fetched from; undefined when one of the two is no host. */
export function matchesHost(pattern: string, host: string, extent: PortExtent): boolean | undefined {
  const isBelow = pattern.startsWith('*.');
  const wanted = parseHost(isBelow ? pattern.slice(2) : pattern);
  const actual = parseHost(host);
  if (wanted === undefined || actual === undefined) return undefined;
  const isNamed = isBelow ? actual.name.endsWith(`.${wanted.name}`) : actual.name === wanted.name;
  if (!isNamed) return false;
  if (!wanted.hasPort && extent === 'each-port') return true;
  return wanted.port === actual.port;
}

/** What is wrong with a rule's host. */
export function hostFault(pattern: string): string | undefined {
  const name = pattern.startsWith('*.') ? pattern.slice(2) : pattern;
  return parseHost(name) === undefined ? 'must be a host, like "example.com" or "*.example.com"' : undefined;
}

interface Host {
  /** As a URL has it: in lower case, names in ASCII, without a dot at the end. */
  readonly name: string;
  /** Empty for those of HTTP and HTTPS. */
  readonly port: string;
  readonly hasPort: boolean;
}

function parseHost(text: string): Host | undefined {
  if (text.length > mostCharacters || /[\s/?#@\\*%]/u.test(text)) return undefined;
  if (!URL.canParse(`http://${text}`)) return undefined;
  const url = new URL(`http://${text}`);
  const name = url.hostname.replace(/\.$/u, '');
  const port = url.port === '443' ? '' : url.port;
  return name === '' ? undefined : { name, port, hasPort: /:\d+$/u.test(text) };
}

const mostCharacters = 1024;
