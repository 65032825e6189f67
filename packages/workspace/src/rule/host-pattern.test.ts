import { expect, test } from 'vitest';
import { hostFault, matchesHost } from './host-pattern.ts';

test.each([
  ['example.com', 'example.com', true],
  ['Example.COM', 'example.com', true],
  ['example.com', 'example.com.', true],
  ['example.com.', 'example.com', true],
  ['example.com', 'notexample.com', false],
  ['example.com', 'a.example.com', false],
  ['*.example.com', 'a.b.example.com', true],
  ['*.example.com', 'example.com', false],
  ['*.example.com', 'badexample.com', false],
  ['bücher.de', 'xn--bcher-kva.de', true],
  ['localhost:3000', 'localhost:3000', true],
  ['localhost:3000', 'localhost', false],
  ['example.com:443', 'example.com', true],
  ['example.com', 'example.com:80', true],
  ['example.com', 'example.com:443', true],
  ['example.com:443', 'example.com:80', false],
  ['*.example.com:8443', 'a.example.com:8443', true],
  ['*.example.com', 'a.example.com:8443', false],
  ['127.0.0.1', '0x7f.1', true],
  ['[::1]:8080', '[0:0:0:0:0:0:0:1]:8080', true],
])('%s covers %s: %s', (pattern, host, expected) => {
  expect(matchesHost(pattern, host, 'usual-ports')).toBe(expected);
});

test('a host without a port has its usual ports, or each of them', () => {
  expect(matchesHost('localhost', 'localhost:22', 'usual-ports')).toBe(false);
  expect(matchesHost('localhost', 'localhost:22', 'each-port')).toBe(true);
});

test.each(['https://a.b', 'a.b/c', 'a b', '*', 'a.*.b', 'user@a.b', 'a.b?', '', '*.', 'a%2eb', 'a:99999'])(
  '%s is no host',
  (pattern) => {
    expect(hostFault(pattern)).toBeDefined();
    expect(matchesHost(pattern, 'a.b', 'each-port')).toBeUndefined();
  },
);
