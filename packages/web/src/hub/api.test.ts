import { afterEach, expect, test, vi } from 'vitest';
import { askApi } from './api.ts';

afterEach(() => vi.unstubAllGlobals());

/** A server that gives one answer. */
function answer(body: string, status = 200): void {
  vi.stubGlobal('fetch', async () => new Response(body, { status }));
}

test('an answer is read as JSON', async () => {
  answer('{"hits":[]}');
  expect(await askApi('/api/search?q=a')).toEqual({ hits: [] });
});

test('an answer without a body is nothing', async () => {
  answer('');
  expect(await askApi('/api/sign-out', { method: 'POST' })).toBeUndefined();
});

test('a refusal says what the server said', async () => {
  answer('{"error":"no such folder","code":"not_found"}', 404);
  await expect(askApi('/api/folders')).rejects.toMatchObject({ code: 'refused', message: 'no such folder' });
});

test('a signed-out browser gets the error "signed-out", with any body', async () => {
  answer('<p>sign in', 401);
  await expect(askApi('/api/hub')).rejects.toMatchObject({ code: 'signed-out' });
});

test('what something between us and the server says is a refusal', async () => {
  answer('<h1>Bad gateway', 200);
  await expect(askApi('/api/hub')).rejects.toMatchObject({ code: 'refused' });
});

test('a server that cannot be reached is no connection', async () => {
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('Failed to fetch');
  });
  await expect(askApi('/api/hub')).rejects.toMatchObject({ code: 'not-connected' });
});
