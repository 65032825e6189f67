import { describe, expect, test } from 'vitest';
import { parseRemote } from './remote.ts';
import { serverKey } from './server-key.ts';

function keyFor(
  url: string,
  env: Readonly<Record<string, string>>,
  typed?: string,
): { readonly key: string | undefined; readonly warnings: readonly string[] } {
  const warnings: string[] = [];
  const key = serverKey(parseRemote('test', url), {
    env,
    warn: (message) => void warnings.push(message),
    ...(typed !== undefined && { typed }),
  });
  return { key, warnings };
}

describe('PARLEY_TOKEN', () => {
  test.each(['http://127.0.0.1:7717/acp', 'ws://localhost/acp', 'http://[::1]:1/aap', 'wss://127.0.0.1/'])(
    'goes to this machine: %s',
    (url) => {
      expect(keyFor(url, { PARLEY_TOKEN: 'k' })).toEqual({ key: 'k', warnings: [] });
    },
  );

  test.each(['https://example.com/acp', 'ws://example.com/acp', 'https://127.0.0.1.example.com'])(
    'is not sent to a server that it was not configured for, with a warning: %s',
    (url) => {
      const { key, warnings } = keyFor(url, { PARLEY_TOKEN: 's3cret' });
      expect(key).toBeUndefined();
      expect(warnings).toEqual([
        expect.stringMatching(
          /^PARLEY_TOKEN is not sent to \S+example\.com: it is for this machine.*PARLEY_URL/,
        ),
      ]);
      expect(warnings.join()).not.toContain('s3cret');
    },
  );

  test.each([
    ['https://example.com', 'https://example.com/acp/agent'],
    ['https://example.com', 'wss://example.com/acp'],
    ['wss://EXAMPLE.com:443/acp', 'https://example.com/aap'],
    ['http://build:7717', 'ws://build:7717/acp'],
  ])('goes to the server that PARLEY_URL names: %s, %s', (server, url) => {
    expect(keyFor(url, { PARLEY_TOKEN: 'k', PARLEY_URL: server }).key).toBe('k');
  });

  test.each([
    ['https://example.com', 'https://example.org/acp'],
    ['https://example.com', 'https://a.example.com/acp'],
    ['https://example.com', 'https://example.com:8443/acp'],
    ['https://example.com', 'http://example.com/acp'],
    ['https://example.com', 'http://example.com:443/acp'],
    ['https://example.com', 'http://127.0.0.1:7717/acp'],
  ])('goes nowhere else once PARLEY_URL is set: %s, %s', (server, url) => {
    const { key, warnings } = keyFor(url, { PARLEY_TOKEN: 'k', PARLEY_URL: server });
    expect(key).toBeUndefined();
    expect(warnings).toEqual([expect.stringContaining('it is for https://example.com')]);
  });

  test('without encryption it is sent only to the address in PARLEY_URL, with a warning', () => {
    const { key, warnings } = keyFor('http://build:7717/acp', {
      PARLEY_TOKEN: 'k',
      PARLEY_URL: 'http://build:7717',
    });
    expect(key).toBe('k');
    expect(warnings).toEqual(['the key is sent to http://build:7717 without encryption']);
  });

  test('an empty value is ignored', () => {
    const env = { PARLEY_TOKEN: '', PARLEY_URL: '' };
    expect(keyFor('https://example.com/acp', env)).toEqual({ key: undefined, warnings: [] });
  });

  test.each(['example.com', 'ftp://example.com', 'https://ann:s3cret@example.com'])(
    'a PARLEY_URL that is none is wrong usage: %s',
    (server) => {
      const find = (): unknown => keyFor('https://example.com', { PARLEY_TOKEN: 'k', PARLEY_URL: server });
      expect(find).toThrow(expect.objectContaining({ code: 'usage' }));
      expect(find).not.toThrow(/s3cret/);
    },
  );
});

describe('a key in the URL', () => {
  test('is sent there, and takes precedence over the environment', () => {
    expect(keyFor('https://example.com/acp', { PARLEY_TOKEN: 'other' }, 'k').key).toBe('k');
  });

  test('is rejected without encryption, unless PARLEY_URL names that server', () => {
    expect(() => keyFor('http://build:7717/acp', {}, 'k')).toThrow(
      expect.objectContaining({
        code: 'usage',
        message: expect.stringMatching(/http:\/\/build:7717.*https:\/\/.*PARLEY_URL/),
      }),
    );
    expect(keyFor('http://build:7717/acp', { PARLEY_URL: 'http://build:7717' }, 'k').key).toBe('k');
  });
});
