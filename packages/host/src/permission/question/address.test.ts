import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toAddress } from './address.ts';

test('the host is separated from the rest, and no part of the URL is lost', () => {
  expect(toAddress('https://login.example.com:8443/device?code=1#x')).toEqual({
    host: 'login.example.com:8443',
    before: 'https://',
    shownHost: 'login.example.com:8443',
    after: '/device?code=1#x',
    isPage: true,
    oddities: [],
  });
});

test.each([
  ['https://example.com@evil.test/', 'user-info', 'evil.test'],
  ['http://example.com/', 'not-encrypted', 'example.com'],
  ['https://ex\u0430mple.com/', 'other-letters', 'xn--exmple-4nf.com'],
  ['javascript:alert(1)', 'not-a-page', ''],
  ['https://example.com/\u202egpj', 'hidden', 'example.com'],
  ['nothing', 'invalid', ''],
] as const)('%s is odd: %s', (text, oddity, host) => {
  expect(toAddress(text)).toMatchObject({ host });
  expect(toAddress(text).oddities).toContain(oddity);
});

test('an address on this machine needs no encryption', () => {
  expect(toAddress('http://localhost:8080/callback').oddities).toEqual([]);
});

test('only a page can be opened', () => {
  expect(toAddress('file:///etc/passwd').isPage).toBe(false);
  expect(toAddress('data:text/html,x').isPage).toBe(false);
});

const word = fc.stringMatching(/^[a-z@:/?#\\.]{0,8}$/);
const anyAddress = fc
  .tuple(fc.constantFrom('https://', 'http:', 'data:', ''), word, fc.constantFrom('@', '/', ':80'), word)
  .map((parts) => parts.join(''));

test('the parts of any address together are the address', () => {
  fc.assert(
    fc.property(anyAddress, (text) => {
      const { before, shownHost, after } = toAddress(text);
      expect(before + shownHost + after).toBe(text);
    }),
  );
});
