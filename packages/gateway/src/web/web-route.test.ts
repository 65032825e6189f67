import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Route } from '../server/route.ts';
import { readWebAssets } from './web-assets.ts';
import { webRoute } from './web-route.ts';

let folder = '';
let route: Route;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'parley-web-'));
  const root = path.join(folder, 'web');
  await mkdir(path.join(root, 'assets'), { recursive: true });
  await writeFile(path.join(folder, 'secret.txt'), 'secret');
  await writeFile(path.join(root, 'index.html'), '<!doctype html>');
  await writeFile(path.join(root, 'favicon.svg'), '<svg/>');
  await writeFile(path.join(root, 'assets', 'main-a1.js'), script);
  await writeFile(path.join(root, 'assets', 'main-a1.js.br'), brotliCompressSync(script));
  route = webRoute(await readWebAssets(root));
});

afterAll(() => rm(folder, { recursive: true }));

test.each(['/', '/sessions/abc', '/sessions/2026.11', '/inbox', '/index.html'])(
  'a browser that is opened at %s gets the page, and asks for it again next time',
  async (place) => {
    const answer = await ask(place, { accept: 'text/html' });

    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe('<!doctype html>');
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    expect(answer.headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(answer.headers.get('permissions-policy')).toContain('camera=()');
    expect(answer.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src data:; font-src 'self'; " +
        "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; " +
        "frame-ancestors 'none'",
    );
  },
);

test('a file with a hash in its name is cached forever, and sent compressed as the browser accepts', async () => {
  const small = await ask('/assets/main-a1.js', { 'accept-encoding': 'gzip, br' });
  const plain = await ask('/assets/main-a1.js', { 'accept-encoding': 'gzip, br;q=0' });

  expect(small.headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
  expect(small.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(small.headers.get('content-encoding')).toBe('br');
  expect(small.headers.get('vary')).toBe('Accept-Encoding');
  const bytes = new Uint8Array(await small.arrayBuffer());
  expect(small.headers.get('content-length')).toBe(String(bytes.byteLength));
  expect(brotliDecompressSync(bytes).toString()).toBe(script);
  expect(plain.headers.has('content-encoding')).toBe(false);
  expect(await plain.text()).toBe(script);
  expect(plain.headers.get('etag')).not.toBe(small.headers.get('etag'));
});

test('a cached file is not sent again', async () => {
  const etag = (await ask('/favicon.svg')).headers.get('etag') ?? '';

  const again = await ask('/favicon.svg', { 'if-none-match': `"x", W/${etag}` });

  expect(again.status).toBe(304);
  expect(again.headers.get('etag')).toBe(etag);
  expect(again.body).toBeNull();
});

test.each([
  '/secret.txt',
  '/../secret.txt',
  '/%2e%2e/secret.txt',
  '/..%2fsecret.txt',
  '/assets/..%2f..%2fsecret.txt',
  '/assets/%2e%2e%5c%2e%2e%5csecret.txt',
  '/assets//etc/passwd',
  '/assets/main-a1.js.br',
  '/assets/missing.js',
  '/api/nothing',
  '/api',
])('%s is not found, by a browser neither', async (place) => {
  const [program, page] = await Promise.all([ask(place), ask(place, { accept: 'text/html' })]);

  expect(program.status).toBe(404);
  expect(await program.json()).toMatchObject({ code: 'not_found', requestId: 'a' });
  expect(await page.text()).not.toContain('secret\n');
});

test.each(['admin', 'use', 'observe'] as const)('the page is for tokens of scope %s', async (scope) => {
  const answer = await route.answer(
    new Request('http://localhost/inbox', { headers: { accept: 'text/html' } }),
    { requestId: 'a', principal: { id: 'token:ci', name: 'ci', scope } },
  );

  expect(answer.status).toBe(200);
});

test('without a build, it says how to build', async () => {
  const bare = webRoute(await readWebAssets(path.join(folder, 'missing')));

  const answer = await ask('/', {}, bare);

  expect(answer.status).toBe(503);
  expect(await answer.text()).toContain('npm run build');
});

const script = `console.log(${JSON.stringify('a'.repeat(1000))});`;

async function ask(
  place: string,
  headers: Readonly<Record<string, string>> = {},
  asked = route,
): Promise<Response> {
  return asked.answer(new Request(`http://localhost${place}`, { headers }), { requestId: 'a' });
}
