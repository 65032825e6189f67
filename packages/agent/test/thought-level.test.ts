import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openProviderServer, stream } from './provider-server.ts';
import type { ProviderServer } from './provider-server.ts';
import { serve, temporaryFolder } from './served.ts';
import type { Served, ServeOptions } from './served.ts';
import { wireFormats } from './wire-formats.ts';
import type { Said, WireFormat } from './wire-formats.ts';

/** What the client is offered: the current level and all levels; nothing where there is no such option. */
function offered(result: unknown): readonly [unknown, ...unknown[]] | undefined {
  const options: unknown =
    typeof result === 'object' && result !== null && 'configOptions' in result ? result.configOptions : [];
  const option: unknown = Array.isArray(options)
    ? options.find(({ id }) => id === 'thought_level')
    : undefined;
  if (typeof option !== 'object' || option === null || !('options' in option)) return undefined;
  const values = Array.isArray(option.options) ? option.options.map(({ value }) => String(value)) : [];
  return ['currentValue' in option && option.currentValue, ...values];
}

/** Lets a model of this format answer each prompt with the next of these. */
async function serveModel(
  model: string,
  responses: readonly Said[] = [{ texts: ['ok'] }],
  options: ServeOptions = {},
): Promise<Served & { readonly server: ProviderServer }> {
  const format = formatOf(model);
  const server = await openProviderServer(...responses.map((said) => stream(format.events(said))));
  const prefix = format.name.toUpperCase();
  const served = await serve({
    ...options,
    variables: { [`${prefix}_API_KEY`]: 'k', [`${prefix}_BASE_URL`]: server.url, [`${prefix}_MODEL`]: model },
  });
  return {
    ...served,
    server,
    [Symbol.asyncDispose]: async () => {
      await served[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

function formatOf(model: string): WireFormat {
  const name = model.startsWith('claude') ? 'anthropic' : model.startsWith('gemini') ? 'gemini' : 'openai';
  const format = wireFormats.find((known) => known.name === name);
  if (format === undefined) throw new Error(`no format ${name}`);
  return format;
}

/** What a request says of thinking. */
function thinkingIn(server: ProviderServer, index = 0): unknown {
  const body: unknown = JSON.parse(server.requests[index]?.body ?? '{}');
  const fields = [...Object.entries(asObject(body)), ...Object.entries(generationConfigOf(body))];
  return Object.fromEntries(fields.filter(([name]) => thinkingFields.has(name)));
}

const thinkingFields: ReadonlySet<string> = new Set([
  'reasoning_effort',
  'thinking',
  'output_config',
  'thinkingConfig',
]);

function generationConfigOf(body: unknown): object {
  const fields = asObject(body);
  return 'generationConfig' in fields ? asObject(fields.generationConfig) : {};
}

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}

describe('the option thought_level', () => {
  test.each([
    ['gpt-5', ['minimal', 'low', 'medium', 'high']],
    ['gpt-5-mini-2025-08-07', ['minimal', 'low', 'medium', 'high']],
    ['openai/gpt-5.1', ['none', 'low', 'medium', 'high']],
    ['o3-mini', ['low', 'medium', 'high']],
    ['openai/gpt-oss-120b', ['low', 'medium', 'high']],
    ['gpt-4o', undefined],
    ['gpt-5-chat-latest', undefined],
    ['gpt-5.6', undefined],
    ['claude-sonnet-4-5', ['low', 'medium', 'high']],
    ['claude-opus-4-6', ['none', 'low', 'medium', 'high', 'max']],
    ['claude-sonnet-5', ['none', 'low', 'medium', 'high', 'xhigh', 'max']],
    ['claude-opus-5-5', ['low', 'medium', 'high', 'xhigh', 'max']],
    ['claude-3-5-haiku', undefined],
    ['gemini-2.5-pro', ['low', 'medium', 'high']],
    ['gemini-2.5-flash-lite', ['none', 'low', 'medium', 'high']],
    ['gemini-3-pro-preview', ['low', 'high']],
    ['gemini-3.5-flash', ['minimal', 'low', 'medium', 'high']],
    ['gemini-2.5-flash-image', undefined],
    ['gemini-2.0-flash', undefined],
  ])('of %s has %j', async (model, levels) => {
    await using served = await serveModel(model);
    expect(offered(served.opened)).toEqual(levels && ['default', 'default', ...levels]);
  });

  test('the offline model has none', async () => {
    await using served = await serve();
    expect(offered(served.opened)).toBeUndefined();
    await expect(served.set({ configId: 'thought_level', value: 'low' })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('"model" or "mode"'),
    });
  });

  test('is a select of its category, and the last one', async () => {
    await using served = await serveModel('o3');
    expect(served.opened).toMatchObject({
      configOptions: [
        { id: 'model' },
        { id: 'mode' },
        {
          id: 'thought_level',
          name: 'Thought level',
          category: 'thought_level',
          type: 'select',
          options: expect.arrayContaining([{ value: 'medium', name: 'Medium' }]),
        },
      ],
    });
  });

  test.each(['minimal', '', 'High', 5])('refuses %j, which is no level of the model', async (value) => {
    await using served = await serveModel('o3');
    await expect(served.set({ configId: 'thought_level', value })).rejects.toMatchObject({ code: -32602 });
  });

  test('is offered for models that have levels, and the chosen level is remembered', async () => {
    await using served = await serveModel('o3');
    const set = async (configId: string, value: string): Promise<unknown> =>
      offered(await served.set({ configId, value }));
    expect(await set('thought_level', 'high')).toEqual(['high', 'default', 'low', 'medium', 'high']);
    expect(await set('model', 'gpt-4o')).toBeUndefined();
    await served.setModel({ model: 'gpt-5' });
    expect(served.heard.at(-1)).toContain('"sessionUpdate":"config_option_update"');
    expect(served.heard.at(-1)).toContain('"currentValue":"high"');
    await set('thought_level', 'minimal');
    expect(await set('model', 'o3')).toEqual(['default', 'default', 'low', 'medium', 'high']);
  });

  test('comes back with the session', async () => {
    const cwd = await temporaryFolder();
    try {
      const options = { cwd, stateDirectory: join(cwd, 'state') };
      let sessionId = '';
      {
        await using served = await serveModel('o3', undefined, options);
        await served.prompt('hi');
        await served.set({ configId: 'thought_level', value: 'low' });
        sessionId = served.sessionId;
      }
      await using served = await serveModel('o3', undefined, options);
      const loaded = await served.connection.request('session/load', { sessionId, cwd, mcpServers: [] });
      expect(offered(loaded)?.[0]).toBe('low');
      await served.connection.request('session/prompt', {
        sessionId,
        prompt: [{ type: 'text', text: 'hi' }],
      });
      expect(thinkingIn(served.server)).toEqual({ reasoning_effort: 'low' });
    } finally {
      await rm(cwd, { recursive: true });
    }
  });
});

describe('the level sent to a provider', () => {
  const summarized = { type: 'adaptive', display: 'summarized' };

  test.each([
    ['o3', 'default', {}],
    ['gpt-5', 'minimal', { reasoning_effort: 'minimal' }],
    ['gpt-4o', undefined, {}],
    ['claude-sonnet-4-5', 'default', {}],
    ['claude-sonnet-4-5', 'medium', { thinking: { type: 'enabled', budget_tokens: 10_000 } }],
    ['claude-opus-4-6', 'max', { thinking: summarized, output_config: { effort: 'max' } }],
    ['claude-sonnet-5', 'none', { thinking: { type: 'disabled' } }],
    ['claude-sonnet-5', 'default', {}],
    ['claude-opus-5-5', 'default', { thinking: summarized }],
    ['gemini-2.5-flash', 'none', { thinkingConfig: { thinkingBudget: 0, includeThoughts: false } }],
    ['gemini-2.5-pro', 'high', { thinkingConfig: { thinkingBudget: 24_576, includeThoughts: true } }],
    ['gemini-3.5-flash', 'low', { thinkingConfig: { thinkingLevel: 'low', includeThoughts: true } }],
    ['gemini-3.5-flash', 'default', { thinkingConfig: { includeThoughts: true } }],
  ])('%s at %s: %j', async (model, level, expected) => {
    await using served = await serveModel(model);
    if (level !== undefined) await served.set({ configId: 'thought_level', value: level });
    expect(await served.prompt('hi')).toEqual({ stopReason: 'end_turn' });
    expect(thinkingIn(served.server)).toEqual(expected);
  });

  test('a model whose level is a number begins to think with the next turn, not behind a call', async () => {
    const list = { calls: [{ name: 'list', input: { path: '.' } }] };
    let asked = (): void => undefined;
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    let answer: (value: object) => void = () => undefined;
    await using served = await serveModel(
      'claude-sonnet-4-5',
      [{ calls: [{ name: 'ask', input: { question: 'how?' } }] }, list, { texts: ['ok'] }],
      {
        onRequest: () => {
          asked();
          return new Promise((resolve) => {
            answer = resolve;
          });
        },
      },
    );
    const prompt = served.prompt('hi');
    await isAsked;
    await served.set({ configId: 'thought_level', value: 'low' });
    answer({ answer: 'so' });
    await prompt;
    await served.prompt('again');
    expect([0, 1, 2, 3].map((index) => thinkingIn(served.server, index))).toEqual([
      {},
      {},
      {},
      { thinking: { type: 'enabled', budget_tokens: 4096 } },
    ]);
  });

  test.each([
    ['gpt-4o', 'max_tokens'],
    ['gpt-5', 'max_completion_tokens'],
  ])('%s knows the limit of a response as %s', async (model, field) => {
    await using served = await serveModel(model);
    await served.connection.request('session/set_model', { sessionId: served.sessionId, maxTokens: 99 });
    await served.prompt('hi');
    const body = served.server.requests[0]?.body ?? '';
    expect(/"(max_\w+)":99/u.exec(body)?.[1]).toBe(field);
  });
});
