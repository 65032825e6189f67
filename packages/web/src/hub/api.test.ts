import { afterEach, expect, test, vi } from 'vitest';
import { askApi } from './api.ts';

afterEach(() => vi.unstubAllGlobals());

/** A server that gives one answer. */
function answer(body: string, status = 200): void {
  vi.stubGlobal('fetch', async () => new Response(body, { status }));
}

test('a response is parsed as JSON', async () => {
  answer('{"hits":[]}');
  expect(await askApi('/api/search?q=a')).toEqual({ hits: [] });
});

test('an empty response is undefined', async () => {
  answer('');
  expect(await askApi('/api/sign-out', { method: 'POST' })).toBeUndefined();
});

test("an error response has the server's message", async () => {
  answer('{"error":"no such folder","code":"not_found"}', 404);
  await expect(askApi('/api/folders')).rejects.toMatchObject({ code: 'refused', message: 'no such folder' });
});

test('a signed-out browser gets the error "signed-out", with any body', async () => {
  answer('<p>sign in', 401);
  await expect(askApi('/api/hub')).rejects.toMatchObject({ code: 'signed-out' });
});

test('a response from a proxy in between is an error', async () => {
  answer('<h1>Bad gateway', 200);
  await expect(askApi('/api/hub')).rejects.toMatchObject({ code: 'refused' });
});

test('an unreachable server is a connection error', async () => {
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('Failed to fetch');
  });
  await expect(askApi('/api/hub')).rejects.toMatchObject({ code: 'not-connected' });
});
