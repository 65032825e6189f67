import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openProviderServer } from '../../../test/provider-server.ts';
import type { ProviderServer } from '../../../test/provider-server.ts';
import { boundedFetch } from './bounded-fetch.ts';

/** What the server sends next. */
let status = 200;
let chunks: readonly string[] = [];
let server: ProviderServer;

beforeEach(async () => {
  server = await openProviderServer((response) => {
    response.writeHead(status);
    for (const chunk of chunks) response.write(chunk);
    response.end();
  });
});

afterEach(() => server[Symbol.asyncDispose]());

async function read(maxBytes: number): Promise<string> {
  const response = await boundedFetch(maxBytes)(server.url);
  return await response.text();
}

test.each([
  ['\n', 10],
  ['\r\n', 11],
])(
  'events that end with an empty line (%j) may be many, none may be longer than the limit',
  async (end, size) => {
    status = 200;
    chunks = Array.from({ length: 50 }, () => `data: 12${end}${end}`);
    expect(await read(size)).toBe(chunks.join(''));
    chunks = ['data: 1', ...Array.from({ length: 50 }, () => `data: 2${end}`)];
    await expect(read(100)).rejects.toMatchObject({ code: 'too-large' });
  },
);

test('an error response is limited in total', async () => {
  status = 500;
  chunks = Array.from({ length: 50 }, () => 'oops\n\n');
  await expect(read(299)).rejects.toMatchObject({ code: 'too-large' });
  expect(await read(300)).toHaveLength(300);
});

test('a response within the limit is unchanged, in any chunks', async () => {
  status = 200;
  const cut = fc.array(fc.constantFrom('a', '\n', '\r\n', 'data: b\n\n'), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(cut, async (pieces) => {
      chunks = pieces;
      expect(await read(10_000)).toBe(pieces.join(''));
    }),
    { numRuns: 20 },
  );
});
