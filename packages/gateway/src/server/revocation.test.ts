import { connect as connectHttp2 } from 'node:http2';
import { afterEach, expect, test } from 'vitest';
import { toTokenRecord } from '../access/token.ts';
import { createGateway, type Gateway } from './create-gateway.ts';
import type { Route } from './route.ts';

const open: Gateway[] = [];

afterEach(async () => {
  for (const gateway of open.splice(0)) await gateway.close({ graceMs: 0 });
});

/** A body that says one thing and goes on until it is cancelled. */
function endless(onCancel: () => void): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => {
      controller.enqueue(new TextEncoder().encode(': begun\n\n'));
    },
    cancel: onCancel,
  });
}

interface Served {
  readonly url: string;
  revoke(): void;
  /** Gives the same token another scope. */
  restrict(): void;
}

async function serve(routes: readonly Route[]): Promise<Served> {
  const tokens = new Set([
    toTokenRecord('kept', { name: 'kept', scope: 'use' }),
    toTokenRecord('revoked', { name: 'revoked', scope: 'use' }),
  ]);
  const gateway = createGateway({ port: 0, tokens: () => tokens, routes, limits: { passCheckMs: 5 } });
  await gateway.listen();
  open.push(gateway);
  const revoke = (): void => {
    for (const token of tokens) if (token.name === 'revoked') tokens.delete(token);
  };
  return {
    url: gateway.url,
    revoke,
    restrict: () => {
      revoke();
      tokens.add(toTokenRecord('revoked', { name: 'revoked', scope: 'observe' }));
    },
  };
}

test.each(['text/event-stream', 'application/x-ndjson'])(
  'a stream of %s ends when its token is revoked, and that of another token goes on',
  async (type) => {
    const cancelled: string[] = [];
    const { url, revoke } = await serve([
      {
        path: '/stream',
        answer: (_request, { principal }) =>
          new Response(
            endless(() => cancelled.push(principal?.name ?? '')),
            { headers: { 'content-type': type } },
          ),
      },
    ]);
    const [kept, revoked] = await Promise.all(
      ['kept', 'revoked'].map(async (token) => {
        const answer = await fetch(`${url}/stream`, { headers: { authorization: `Bearer ${token}` } });
        const reader = answer.body?.getReader();
        await reader?.read();
        return reader;
      }),
    );

    revoke();

    await expect(revoked?.read()).rejects.toThrow('terminated');
    await expect.poll(() => cancelled, { timeout: 120_000 }).toEqual(['revoked']);
    await kept?.cancel();
  },
);

test.each(['revoke', 'restrict'] as const)(
  'a stream over HTTP/2 ends after a %s of its token',
  async (change) => {
    let isCancelled = false;
    const served = await serve([
      {
        path: '/stream',
        answer: () =>
          new Response(
            endless(() => {
              isCancelled = true;
            }),
            { headers: { 'content-type': 'text/event-stream' } },
          ),
      },
    ]);
    const session = connectHttp2(served.url);
    const stream = session.request({ ':path': '/stream', authorization: 'Bearer revoked' });
    const failed = new Promise((resolve) => {
      stream.once('error', resolve);
    });
    await new Promise((resolve) => {
      stream.once('data', resolve);
    });

    served[change]();

    await failed;
    await expect.poll(() => isCancelled, { timeout: 120_000 }).toBe(true);
    session.destroy();
  },
);

test('a response is 401 if its token was revoked meanwhile', async () => {
  let answer = (_response: Response): void => {};
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const { url, revoke } = await serve([
    {
      path: '/slow',
      answer: () =>
        new Promise((resolve) => {
          answer = resolve;
          begin();
        }),
    },
  ]);
  const response = fetch(`${url}/slow`, { headers: { authorization: 'Bearer revoked' } });
  await begun;

  revoke();
  answer(new Response('secret'));

  const { status } = await response;
  expect(status).toBe(401);
});

test('a slow request is 401 as soon as its token is revoked, and the response is discarded', async () => {
  let answer = (_response: Response): void => {};
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const { url, revoke } = await serve([
    {
      path: '/slow',
      answer: () =>
        new Promise((resolve) => {
          answer = resolve;
          begin();
        }),
    },
  ]);
  const response = fetch(`${url}/slow`, { headers: { authorization: 'Bearer revoked' } });
  await begun;

  revoke();

  expect((await response).status).toBe(401);
  await new Promise<void>((discarded) => {
    answer(new Response(endless(discarded)));
  });
});
