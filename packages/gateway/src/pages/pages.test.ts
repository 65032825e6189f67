import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Route } from '../server/route.ts';
import { markup } from './html.ts';
import { openApiRoutes } from './open-api-routes.ts';
import { programsRoute } from './programs-route.ts';

const programs = programsRoute({
  version: '1.2.3',
  agents: () => [{ name: '<b>', title: 'A "quoted" one', version: '0.0.0' }],
});

test.each([programs, ...openApiRoutes().filter(({ path }) => path === '/openapi')])(
  '$path is a page without scripts whose style is the one that its policy allows',
  async (route) => {
    const answer = await ask(route);
    const text = await answer.text();
    const [, style = ''] = /<style>([\s\S]*?)<\/style>/u.exec(text) ?? [];
    const digest = createHash('sha256').update(style).digest('base64');

    expect(text).toMatch(/^<!doctype html>/u);
    expect(text).not.toMatch(/<script|src=|style=/u);
    expect(text).toContain('<link rel="icon" href="data:," />');
    expect(answer.headers.get('content-security-policy')).toContain('img-src data:;');
    expect(answer.headers.get('content-security-policy')).toContain(
      `default-src 'none'; style-src 'sha256-${digest}'`,
    );
  },
);

test('values in a page are escaped', async () => {
  const text = await (await ask(programs)).text();

  expect(text).toContain('&#60;b&#62;');
  expect(text).toContain('A &#34;quoted&#34; one');
  expect(markup`<p>${'</p>'}</p>`.html).toBe('<p>&#60;/p&#62;</p>');
});

test('the OpenAPI page has each operation, and its links resolve', async () => {
  const [json, page] = openApiRoutes();
  const { paths } = (await (await ask(json)).json()) as { readonly paths: Readonly<Record<string, object>> };
  const text = await (await ask(page)).text();

  for (const [path, methods] of Object.entries(paths)) {
    for (const method of Object.keys(methods)) expect(text).toContain(`${method.toUpperCase()} ${path}`);
  }
  const names = new Set([...text.matchAll(/ id="(\w+)"/gu)].map(([, name]) => name));
  for (const [, name] of text.matchAll(/href="#(\w+)"/gu)) expect(names).toContain(name);
});

async function ask(route: Route | undefined): Promise<Response> {
  const answer = await route?.answer(new Request(`http://localhost${route.path}`), { requestId: 'a' });
  return answer ?? Response.error();
}
