import { describe, expect, test } from 'vitest';
import { openProviderServer, refuse, stream } from './provider-server.ts';
import { modelOption, serve, showing } from './served.ts';
import type { Served } from './served.ts';
import { wireFormats } from './wire-formats.ts';

async function providers(served: Served): Promise<unknown> {
  const result = await served.connection.request('providers/list', {});
  return (result as { readonly providers: unknown }).providers;
}

async function opened(served: Served): Promise<unknown> {
  const { connection } = served;
  return await connection.request('session/new', { cwd: process.cwd(), mcpServers: [] });
}

const key = { OPENAI_API_KEY: 'sk-of-the-user' };

describe('providers/list', () => {
  test('has the known providers, and the URLs of those configured by variables', async () => {
    await using served = await serve({ variables: key });
    expect(served.initialized).toMatchObject({ agentCapabilities: { providers: {} } });
    expect(await providers(served)).toEqual([
      {
        providerId: 'openai',
        supported: ['openai', 'anthropic', '_gemini'],
        required: false,
        current: { apiType: 'openai', baseUrl: 'https://api.openai.com/v1' },
      },
      { providerId: 'anthropic', supported: ['anthropic', 'openai', '_gemini'], required: false },
      { providerId: 'gemini', supported: ['_gemini', 'openai', 'anthropic'], required: false },
    ]);
  });

  test('contains no secret, of variables or of the client', async () => {
    await using served = await serve({
      variables: { ...key, OPENAI_BASE_URL: 'https://user:password@example.com/v1' },
    });
    await served.connection.request('providers/set', {
      providerId: 'anthropic',
      apiType: 'anthropic',
      baseUrl: 'https://gateway.example/',
      headers: { authorization: 'Bearer of-the-client' },
    });
    const text = JSON.stringify(await providers(served));
    expect(text).toContain('https://example.com/v1');
    expect(text).toContain('https://gateway.example/');
    expect(text).not.toMatch(/password|of-the-client|of-the-user/u);
  });
});

describe('providers/set', () => {
  test.each(wireFormats)(
    '$name: new sessions use the address and the headers, and no key of the variables',
    async ({ name, events }) => {
      await using server = await openProviderServer(stream(events({ texts: ['from the gateway'] })));
      await using served = await serve({
        variables: { [`${name.toUpperCase()}_API_KEY`]: 'sk-of-the-user' },
      });
      await served.connection.request('providers/set', {
        providerId: name,
        apiType: name === 'gemini' ? '_gemini' : name,
        baseUrl: server.url,
        headers: { 'x-gateway': 'of-the-client' },
      });
      const session = (await opened(served)) as { readonly sessionId: string };
      await served.connection.request('session/prompt', {
        sessionId: session.sessionId,
        prompt: [{ type: 'text', text: 'hello' }],
      });
      const [request] = server.requests;
      expect(request?.headers).toMatchObject({ 'x-gateway': 'of-the-client' });
      expect(JSON.stringify(request)).not.toContain('of-the-user');
      expect(served.heard.join()).toContain('from the gateway');
    },
  );

  test('error messages of a provider do not contain the headers', async () => {
    await using server = await openProviderServer(refuse(400, 'bad key of-the-client'));
    await using served = await serve({ variables: {} });
    await served.connection.request('providers/set', {
      providerId: 'openai',
      apiType: 'openai',
      baseUrl: server.url,
      headers: { authorization: 'Bearer of-the-client' },
    });
    const session = (await opened(served)) as { readonly sessionId: string };
    expect(modelOption(session)).toEqual(showing('openai/gpt-5'));
    const turn = served.connection.request('session/prompt', {
      sessionId: session.sessionId,
      prompt: [{ type: 'text', text: 'hello' }],
    });
    await expect(turn).rejects.toThrow(/bad key \*\*\*/u);
  });

  test.each([
    ['an unknown provider', { providerId: 'other' }],
    ['an API that it does not have', { apiType: 'bedrock' }],
    ['an address that is none', { baseUrl: 'nowhere' }],
    ['an address of a file', { baseUrl: 'file:///etc/passwd' }],
    ['an address with a password', { baseUrl: 'https://user:secret@example.com' }],
    ['a header with a line break', { headers: { 'x-a': 'a\r\nsecret: b' } }],
  ])('%s is refused, and changes nothing', async (_name, part) => {
    await using served = await serve({ variables: {} });
    const before = await providers(served);
    const request = { providerId: 'openai', apiType: 'openai', baseUrl: 'https://example.com', ...part };
    const answer = served.connection.request('providers/set', request);
    await expect(answer).rejects.toMatchObject({ code: -32602 });
    await expect(answer).rejects.not.toThrow(/secret/u);
    expect(await providers(served)).toEqual(before);
  });
});

test('providers/disable: new sessions do not have the provider until it is set again', async () => {
  await using served = await serve({ variables: key });
  expect(modelOption(served.opened)).toEqual(showing('openai/gpt-5'));
  expect(await served.connection.request('providers/disable', { providerId: 'openai' })).toEqual({});
  expect(await served.connection.request('providers/disable', { providerId: 'never-there' })).toEqual({});
  expect(JSON.stringify(await providers(served))).not.toContain('current');
  expect(modelOption(await opened(served))).toEqual(showing('parley/offline'));
});
