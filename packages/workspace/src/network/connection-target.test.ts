import { isIP } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchesHost } from '../rule/host-pattern.ts';
import { parseTarget, targetPattern, targetText } from './connection-target.ts';

test.each([
  ['example.com:443', 'example.com', 443],
  ['EXAMPLE.com.:443', 'example.com', 443],
  ['xn--bcher-kva.example:8443', 'xn--bcher-kva.example', 8443],
  ['127.0.0.1:3000', '127.0.0.1', 3000],
  ['0x7f.1:80', '127.0.0.1', 80],
  ['2130706433:80', '127.0.0.1', 80],
  ['[::1]:22', '::1', 22],
  ['[0:0:0:0:0:0:0:1]:22', '::1', 22],
  ['[::ffff:127.0.0.1]:80', '::ffff:7f00:1', 80],
  ['example.com:0443', 'example.com', 443],
])('%s is %s, port %i', (authority, host, port) => {
  expect(parseTarget(authority)).toEqual({ host, port });
});

test.each([
  'example.com',
  'example.com:',
  'example.com:0',
  'example.com:65536',
  'example.com:https',
  'user@example.com:443',
  'user:secret@example.com:443',
  'example.com:443/path',
  'example.com:443#x',
  'example.com\\@evil.example:443',
  'exa%6dple.com:443',
  'bücher.example:443',
  'example..com:443',
  '.example.com:443',
  'example.com..:443',
  `${'a'.repeat(64)}.com:443`,
  '::1:443',
  '[::1%25eth0]:443',
  '*.example.com:443 ',
  ':443',
  '',
])('%j is no target', (authority) => {
  expect(parseTarget(authority)).toBeUndefined();
});

test('a port of HTTP or HTTPS is left out of a pattern', () => {
  expect(targetPattern({ host: 'example.com', port: 443 })).toBe('example.com');
  expect(targetPattern({ host: 'example.com', port: 8443 })).toBe('example.com:8443');
  expect(targetText({ host: '::1', port: 80 })).toBe('[::1]:80');
});

const piece = fc.oneof(
  fc.constantFrom(
    'example',
    'com',
    '.',
    ':',
    '443',
    '[',
    ']',
    '::1',
    '127.0.0.1',
    '@',
    '%',
    '\\',
    '/',
    '0x7f',
    'ＥＸ',
  ),
  fc.string({ maxLength: 3 }),
);

test('any text is no target, or one that is written in one way only and that a URL leads to', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      const target = parseTarget(pieces.join(''));
      if (target === undefined) return;
      const text = targetText(target);
      expect(parseTarget(text)).toEqual(target);
      const url = new URL(`https://${text}/`);
      expect(url.hostname).toBe(isIP(target.host) === 6 ? `[${target.host}]` : target.host);
      expect(url.port === '' ? 443 : Number(url.port)).toBe(target.port);
      // What a question remembers covers the target, and not another port.
      expect(matchesHost(text, text, 'usual-ports')).toBe(true);
      expect(matchesHost(targetPattern(target), text, 'usual-ports')).toBe(true);
      const other = { ...target, port: target.port === 443 ? 80 : 443 };
      expect(matchesHost(text, targetText(other), 'usual-ports')).toBe(false);
    }),
  );
});
