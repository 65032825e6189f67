import { BlockList, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

/**
 * Checks whether an address belongs to the public internet: not to this machine, a private or local network, a cloud
 * metadata service, or a special-purpose range. IPv4 within IPv6 is checked as IPv4.
 *
 * @param own The addresses of this machine's interfaces, which can be in public ranges.
 */
export function isPublicAddress(address: string, own: () => readonly string[] = ownAddresses): boolean {
  const plain = address.replace(/%.*$/u, '');
  const embedded = isIPv6(plain) ? embeddedIpv4(plain) : undefined;
  const forms = embedded === undefined ? [plain] : [plain, embedded];
  return !forms.some((form) => isIn(reserved, form)) && !isOwn(forms, own());
}

function isOwn(forms: readonly string[], own: readonly string[]): boolean {
  const list = new BlockList();
  for (const each of own) list.addAddress(each.replace(/%.*$/u, ''), isIPv6(each) ? 'ipv6' : 'ipv4');
  return forms.some((form) => isIn(list, form));
}

function isIn(list: BlockList, address: string): boolean {
  return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

function ownAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => address));
}

const reserved = new BlockList();
for (const range of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]) {
  addRange(range, 'ipv4');
}
for (const range of [
  '::/128',
  '::1/128',
  // What these are translated to is up to the network: RFC 8215, RFC 7915.
  '64:ff9b:1::/48',
  '::ffff:0:0:0/96',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]) {
  addRange(range, 'ipv6');
}

function addRange(range: string, family: 'ipv4' | 'ipv6'): void {
  const [net = '', prefix] = range.split('/');
  reserved.addSubnet(net, Number(prefix), family);
}

/** The IPv4 address within a mapped, compatible, translated (64:ff9b::) or 6to4 address. */
function embeddedIpv4(address: string): string | undefined {
  const groups = toGroups(address);
  const [first = 0, second = 0, third = 0] = groups;
  if (first === 0x2002) return toIpv4(second, third);
  const isLow = groups.slice(0, 5).every((group) => group === 0);
  const isMapped = isLow && (groups[5] === 0xffff || groups[5] === 0);
  const isTranslated = first === 0x64 && second === 0xff9b;
  return isMapped || isTranslated ? toIpv4(groups[6] ?? 0, groups[7] ?? 0) : undefined;
}

function toGroups(address: string): readonly number[] {
  // The URL parser writes an address in one way only, and an IPv4 tail as two groups.
  const host = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [head = '', tail] = host.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  return [...before, ...Array.from({ length: zeros }, () => '0'), ...after].map((group) =>
    Number.parseInt(group, 16),
  );
}

function toIpv4(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
