import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openProviderServer, stream } from './provider-server.ts';
import { serve, temporaryFolder } from './served.ts';
import type { Served } from './served.ts';
import { wireFormats } from './wire-formats.ts';

const twoProviders = { OPENAI_API_KEY: 'sk-a', OPENAI_MODEL: 'gpt-4o', ANTHROPIC_API_KEY: 'sk-b' };

function change(served: Served, params: object): Promise<unknown> {
  return served.connection.request('session/set_model', { sessionId: served.sessionId, ...params });
}

describe('session/set_model', () => {
  test('is advertised nowhere', async () => {
    await using served = await serve();
    expect(JSON.stringify([served.initialized, served.opened])).not.toMatch(
      /session\/set_model|availableModels/u,
    );
  });

  test('takes the model of the present provider, as Agentao has it, and sends all three settings', async () => {
    await using served = await serve({ variables: twoProviders });
    expect(await change(served, { model: ' some/other ' })).toEqual({
      model: 'some/other',
      contextLength: 128_000,
      maxTokens: null,
    });
    expect(served.heard.at(-1)).toContain('"sessionUpdate":"config_option_update"');
    expect(served.heard.at(-1)).toContain('"currentValue":"openai/some/other"');
  });

  test('takes the modelId of old revisions of the protocol, with a provider or without', async () => {
    await using served = await serve({ variables: twoProviders });
    expect(await change(served, { modelId: 'anthropic/claude-x', _meta: {} })).toMatchObject({
      model: 'claude-x',
    });
    expect(await change(served, { modelId: 'claude-y' })).toMatchObject({ model: 'claude-y' });
    expect(served.heard.at(-1)).toContain('"currentValue":"anthropic/claude-y"');
  });

  test('what is not named stays as it is', async () => {
    await using served = await serve({ variables: twoProviders });
    await change(served, { contextLength: 5000, model: null });
    await change(served, { maxTokens: 7 });
    expect(await change(served, { model: 'm' })).toEqual({ model: 'm', contextLength: 5000, maxTokens: 7 });
  });

  test('a model that cannot be had changes nothing', async () => {
    await using served = await serve({ variables: twoProviders });
    await expect(change(served, { modelId: 'gemini/m', maxTokens: 7 })).rejects.toMatchObject({
      code: -32600,
    });
    expect(await change(served, { contextLength: 5 })).toEqual({
      model: 'gpt-4o',
      contextLength: 5,
      maxTokens: null,
    });
  });

  test.each([
    [{}, 'at least one'],
    [{ model: null }, 'at least one'],
    [{ model: ' ' }, 'model'],
    [{ modelId: 5 }, 'modelId'],
    [{ modelId: 'openai/' }, 'modelId'],
    [{ model: 'm', modelId: 'm' }, 'modelId'],
    [{ contextLength: 0 }, 'contextLength'],
    [{ contextLength: true }, 'contextLength'],
    [{ maxTokens: 1.5 }, 'maxTokens'],
    [{ maxTokens: '5' }, 'maxTokens'],
    [{ model: 'm', apiKey: 'sk-c' }, 'apiKey'],
  ])('%j is refused by name', async (params, name) => {
    await using served = await serve({ variables: twoProviders });
    await expect(change(served, params)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(name),
    });
  });

  test.each([[5], { model: 'm' }])('%j is refused, for it names no session', async (params) => {
    await using served = await serve();
    const answer = served.connection.request('session/set_model', params);
    await expect(answer).rejects.toMatchObject({ code: -32602 });
  });

  test('a session that is not open is unknown', async () => {
    await using served = await serve();
    for (const method of ['session/set_model', 'session/list_models']) {
      const answer = served.connection.request(method, { sessionId: 'other', model: 'm' });
      await expect(answer).rejects.toMatchObject({ code: -32002, data: { sessionId: 'other' } });
    }
  });

  test('in the dialect agentao _meta is refused too', async () => {
    await using served = await serve({ dialect: 'agentao' });
    await expect(change(served, { maxTokens: 5, _meta: {} })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('_meta'),
    });
  });

  test.each(wireFormats)(
    'maxTokens reaches $name, and contextLength is what a turn reports',
    async (format) => {
      await using server = await openProviderServer(stream(format.events({ texts: ['ok'] })));
      const prefix = format.name.toUpperCase();
      await using served = await serve({
        variables: {
          [`${prefix}_API_KEY`]: 'k',
          [`${prefix}_BASE_URL`]: server.url,
          [`${prefix}_MODEL`]: 'm',
        },
      });
      await change(served, { contextLength: 4321, maxTokens: 77 });
      await served.prompt('hi');
      const field = { openai: 'max_tokens', anthropic: 'max_tokens', gemini: 'maxOutputTokens' }[format.name];
      expect(server.requests[0]?.body).toContain(`"${field}":77`);
      expect(served.heard.at(-1)).toContain('"size":4321');
    },
  );

  test.each([
    ['say: one\nsay: 0123456789', ['one', '01234'], 2],
    ['repeat 5: say: abc', ['abc', 'abc', 'ab'], 2],
    ['say: 0123456\nlist .', ['0123456'], undefined],
  ])('the offline model keeps to maxTokens of text: %j', async (prompt, texts, maxTokens) => {
    await using served = await serve();
    if (maxTokens !== undefined) await change(served, { maxTokens });
    expect(await served.prompt(prompt)).toEqual({
      stopReason: maxTokens === undefined ? 'end_turn' : 'max_tokens',
    });
    const said = served.heard.flatMap(
      (line) => /agent_message_chunk.*"text":"([^"]*)"/u.exec(line)?.[1] ?? [],
    );
    expect(said).toEqual(texts);
  });

  test('it may come while a turn runs, and comes back with the session', async () => {
    const cwd = await temporaryFolder();
    try {
      const options = { cwd, stateDirectory: join(cwd, 'state') };
      let sessionId = '';
      {
        let asked = (): void => undefined;
        const isAsked = new Promise<void>((resolve) => {
          asked = resolve;
        });
        let answer: (value: object) => void = () => undefined;
        await using served = await serve({
          ...options,
          onRequest: () => {
            asked();
            return new Promise((resolve) => {
              answer = resolve;
            });
          },
        });
        const prompt = served.prompt('ask: more?\nsay: 0123456789');
        await isAsked;
        await change(served, { contextLength: 9000, maxTokens: 1 });
        answer({ answer: 'yes' });
        expect(await prompt).toEqual({ stopReason: 'max_tokens' });
        sessionId = served.sessionId;
      }
      await using served = await serve(options);
      await served.connection.request('session/load', { sessionId, cwd, mcpServers: [] });
      const settings = await served.connection.request('session/set_model', { sessionId, maxTokens: 2 });
      expect(settings).toEqual({ model: 'offline', contextLength: 9000, maxTokens: 2 });
    } finally {
      await rm(cwd, { recursive: true });
    }
  });
});

describe('session/list_models', () => {
  test('gives the names of the present provider that session/set_model takes', async () => {
    await using served = await serve({ variables: twoProviders });
    const list = (): Promise<unknown> =>
      served.connection.request('session/list_models', { sessionId: served.sessionId });
    expect(await list()).toEqual({ models: ['gpt-4o'] });
    await change(served, { model: 'other' });
    expect(await list()).toEqual({ models: ['other', 'gpt-4o'] });
    await change(served, { modelId: 'anthropic/x' });
    expect(await list()).toEqual({ models: ['x', 'claude-sonnet-5'] });
  });

  test('rejects any other value', async () => {
    await using served = await serve();
    const params = { sessionId: served.sessionId, apiKey: 'sk' };
    await expect(served.connection.request('session/list_models', params)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('apiKey'),
    });
  });
});
