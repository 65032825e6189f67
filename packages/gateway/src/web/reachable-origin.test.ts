import { expect, test } from 'vitest';
import { reachableOrigin } from './reachable-origin.ts';

const addresses = ['192.168.1.5', '10.0.0.5'];

test.each([
  ['http://127.0.0.1:7717', '127.0.0.1', 'http://127.0.0.1:7717'],
  ['http://127.0.0.1:7717', '0.0.0.0', 'http://192.168.1.5:7717'],
  ['https://localhost', '::', 'https://192.168.1.5'],
  ['http://[::1]:7717', '0.0.0.0', 'http://192.168.1.5:7717'],
  ['http://localhost:7717', '10.0.0.5', 'http://10.0.0.5:7717'],
  ['http://localhost:7717', 'fd00::5', 'http://[fd00::5]:7717'],
  ['https://parley.example.com', '0.0.0.0', 'https://parley.example.com'],
])('%s of a server on %s is reached from elsewhere as %s', (origin, host, expected) => {
  expect(reachableOrigin(origin, { host, addresses })).toBe(expected);
});

test('without a network the URL is unchanged', () => {
  expect(reachableOrigin('http://127.0.0.1:1', { host: '0.0.0.0', addresses: [] })).toBe(
    'http://127.0.0.1:1',
  );
});
