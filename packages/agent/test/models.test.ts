import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openProviderServer, stream } from './provider-server.ts';
import { modelOption, serve, showing, temporaryFolder } from './served.ts';
import { wireFormats } from './wire-formats.ts';

const twoProviders = { OPENAI_API_KEY: 'sk-a', OPENAI_MODEL: 'gpt-x', ANTHROPIC_API_KEY: 'sk-b' };

describe('C.1 initialize', () => {
  test('lists the extension methods with what they are for', async () => {
    await using served = await serve();
    expect(served.initialized).toMatchObject({
      _meta: {
        '_agentao.cn/extensions': [
          { method: '_agentao.cn/ask_user', description: expect.any(String) },
          { method: '_agentao.cn/set_model', description: expect.any(String) },
        ],
      },
      agentCapabilities: { _meta: { 'agentao.cn': { set_model: { description: expect.any(String) } } } },
    });
  });
});

describe('C.2 session/new', () => {
  test('gives the options model and mode', async () => {
    await using served = await serve({ variables: twoProviders });
    expect(served.opened).toMatchObject({
      configOptions: [
        {
          id: 'model',
          name: 'Model',
          category: 'model',
          type: 'select',
          currentValue: 'openai/gpt-x',
          options: [
            { value: 'openai/gpt-x' },
            { value: 'anthropic/claude-sonnet-5' },
            { value: 'parley/offline' },
          ],
        },
        { id: 'mode', category: 'mode', type: 'select', currentValue: 'confirm' },
      ],
    });
  });

  test('without a provider the offline model answers', async () => {
    await using served = await serve();
    expect(modelOption(served.opened)).toEqual(showing('parley/offline'));
  });

  test.each([
    ['the chosen provider', { ...twoProviders, LLM_PROVIDER: 'AnThropic' }, 'anthropic/claude-sonnet-5'],
    [
      'any prefix that is chosen',
      {
        LLM_PROVIDER: 'deepseek',
        DEEPSEEK_API_KEY: 'k',
        DEEPSEEK_BASE_URL: 'http://127.0.0.1:9',
        DEEPSEEK_MODEL: 'm/n',
      },
      'deepseek/m/n',
    ],
    [
      'a local server, which needs no key',
      { LLM_PROVIDER: 'OLLAMA', OLLAMA_BASE_URL: 'http://127.0.0.1:9', OLLAMA_MODEL: 'm' },
      'ollama/m',
    ],
    [
      'the offline model, when the chosen one is not set',
      { ...twoProviders, LLM_PROVIDER: 'groq' },
      'parley/offline',
    ],
    [
      'the next provider, when a key is empty',
      { ...twoProviders, OPENAI_API_KEY: ' ' },
      'anthropic/claude-sonnet-5',
    ],
  ])('begins with %s', async (_, variables, model) => {
    await using served = await serve({ variables });
    expect(modelOption(served.opened)).toEqual(showing(model));
  });

  test('says why a chosen provider does not answer', async () => {
    await using served = await serve({ variables: { LLM_PROVIDER: 'groq' } });
    await served.prompt('say: hi');
    expect(served.heard.join('\n')).toContain('GROQ_API_KEY');
  });

  test('uses the variables of a project that the caller trusts; a variable of the environment wins', async () => {
    await using served = await serve({
      variables: { GEMINI_MODEL: 'ambient' },
      project: '# mine\nLLM_PROVIDER=gemini\nexport GEMINI_API_KEY="k"\nGEMINI_MODEL=project\n',
    });
    expect(modelOption(served.opened)).toEqual(showing('gemini/ambient'));
    expect(process.env['GEMINI_API_KEY']).toBeUndefined();
  });

  test('a project cannot lead an ambient key to another place', async () => {
    await using thief = await openProviderServer(stream([]));
    const project = `OPENAI_BASE_URL=${thief.url}\nLLM_PROVIDER=github\nGITHUB_BASE_URL=${thief.url}\nGITHUB_MODEL=m\n`;
    await using served = await serve({
      variables: { ...twoProviders, GITHUB_API_KEY: 'k' },
      project,
    });
    expect(modelOption(served.opened)).toEqual(showing('parley/offline'));
    await expect(served.set({ configId: 'model', value: 'github/m' })).rejects.toMatchObject({
      code: -32600,
    });
    expect(thief.requests).toEqual([]);
  });

  test('a .env is not read by the agent itself', async () => {
    const cwd = await temporaryFolder();
    try {
      await writeFile(join(cwd, '.env'), 'LLM_PROVIDER=gemini\nGEMINI_API_KEY=k\n');
      await using served = await serve({ cwd });
      expect(modelOption(served.opened)).toEqual(showing('parley/offline'));
    } finally {
      await rm(cwd, { recursive: true });
    }
  });

  test('begins with the model that was asked for, or is refused', async () => {
    await using served = await serve({ variables: twoProviders, initialModel: 'Anthropic/other' });
    expect(modelOption(served.opened)).toEqual(showing('anthropic/other'));
    await expect(serve({ variables: {}, initialModel: 'anthropic/other' })).rejects.toMatchObject({
      code: -32600,
      message: "cannot resolve provider 'anthropic'",
    });
  });
});

describe('C.8 session/set_config_option', () => {
  test('provider/model is split at the first slash, the provider in lower case', async () => {
    await using served = await serve({ variables: twoProviders });
    const result = await served.set({ configId: 'model', value: ' ANTHROPIC / Some/Model ' });
    expect(modelOption(result)).toEqual(showing('anthropic/Some/Model'));
  });

  test('a bare model keeps the provider', async () => {
    await using served = await serve({ variables: twoProviders });
    expect(modelOption(await served.set({ configId: 'model', value: 'gpt-y' }))).toEqual(
      showing('openai/gpt-y'),
    );
  });

  test.each(['', '  ', '/m', 'openai/', ' / '])('the value %j is refused', async (value) => {
    await using served = await serve({ variables: twoProviders });
    await expect(served.set({ configId: 'model', value })).rejects.toMatchObject({ code: -32602 });
  });

  test.each(['apiKey', 'baseUrl', 'type', 'other'])('the field %s is refused by name', async (field) => {
    await using served = await serve({ variables: twoProviders });
    const answer = served.set({ configId: 'model', value: 'gpt-y', [field]: 'secret-value' });
    await expect(answer).rejects.toMatchObject({ code: -32602, message: expect.stringContaining(field) });
    await expect(answer).rejects.toMatchObject({ message: expect.not.stringContaining('secret-value') });
  });

  test('_meta is the protocol, and refused in the dialect agentao', async () => {
    const params = { configId: 'model', value: 'gpt-y', _meta: {} };
    await using served = await serve({ variables: twoProviders });
    expect(modelOption(await served.set(params))).toEqual(showing('openai/gpt-y'));
    await using agentao = await serve({ variables: twoProviders, dialect: 'agentao' });
    await expect(agentao.set(params)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('_meta'),
    });
  });

  test('an unknown configId is -32602, and -32600 in the dialect agentao', async () => {
    await using served = await serve();
    await expect(served.set({ configId: 'other', value: 'x' })).rejects.toMatchObject({ code: -32602 });
    await using agentao = await serve({ dialect: 'agentao' });
    await expect(agentao.set({ configId: 'other', value: 'x' })).rejects.toMatchObject({ code: -32600 });
  });

  test('a provider that is not set is refused, and the model stays', async () => {
    await using served = await serve({ variables: twoProviders });
    await expect(served.set({ configId: 'model', value: 'Gemini/m' })).rejects.toMatchObject({
      code: -32600,
      message: "cannot resolve provider 'gemini'",
    });
    expect(modelOption(await served.set({ configId: 'mode', value: 'plan' }))).toEqual(
      showing('openai/gpt-x'),
    );
    expect(served.log).toEqual([]);
  });

  test.each(['nope', 'parley/nope', 'PARLEY/nope'])(
    'the value %s is unknown, and the offline model stays',
    async (value) => {
      await using served = await serve();
      await expect(served.set({ configId: 'model', value })).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining('parley/offline'),
      });
      await expect(served.set({ configId: 'model', value: 'nope/nope' })).rejects.toMatchObject({
        code: -32600,
      });
      expect(modelOption(await served.set({ configId: 'mode', value: 'plan' }))).toEqual(
        showing('parley/offline'),
      );
    },
  );

  test('a resolver that fails is logged by provider and error type alone', async () => {
    await using served = await serve({
      resolveProvider: () => {
        throw new TypeError('the key is sk-secret');
      },
    });
    await expect(served.set({ configId: 'model', value: 'vault/m' })).rejects.toMatchObject({ code: -32600 });
    expect(served.log).toEqual(['provider "vault" cannot be resolved: TypeError']);
  });

  test('what a resolver gives is used', async () => {
    const [format] = wireFormats;
    await using server = await openProviderServer(
      stream(format?.events({ texts: ['from the vault'] }) ?? []),
    );
    await using served = await serve({
      resolveProvider: (provider) =>
        provider === 'vault' ? Promise.resolve({ apiKey: 'sk-vault', baseUrl: server.url }) : undefined,
    });
    await served.set({ configId: 'model', value: 'Vault/m' });
    expect(await served.prompt('hi')).toEqual({ stopReason: 'end_turn' });
    expect(served.heard.join('\n')).toContain('from the vault');
    expect(server.requests[0]?.headers.authorization).toBe('Bearer sk-vault');
    await expect(served.set({ configId: 'model', value: 'cellar/m' })).rejects.toMatchObject({
      code: -32600,
    });
  });

  test('the mode is an option too, in step with the modes', async () => {
    await using served = await serve();
    expect(await served.set({ configId: 'mode', value: 'plan' })).toMatchObject({
      configOptions: [{ id: 'model' }, { id: 'mode', currentValue: 'plan' }],
    });
    expect(served.heard.at(-1)).toContain('"currentModeId":"plan"');
    await served.connection.request('session/set_mode', { sessionId: served.sessionId, modeId: 'read-only' });
    expect(served.heard.at(-1)).toContain('"sessionUpdate":"config_option_update"');
    expect(served.heard.at(-1)).toContain('"currentValue":"read-only"');
    await expect(served.set({ configId: 'mode', value: 'other' })).rejects.toMatchObject({ code: -32602 });
  });

  test('a loaded session has its model, and no key is stored', async () => {
    const cwd = await temporaryFolder();
    try {
      const options = { cwd, stateDirectory: join(cwd, 'state') };
      let sessionId = '';
      {
        await using served = await serve({
          ...options,
          variables: twoProviders,
          initialModel: 'parley/offline',
        });
        await served.prompt('say: hi');
        await served.set({ configId: 'model', value: 'anthropic/other' });
        sessionId = served.sessionId;
      }
      const params = { sessionId, cwd, mcpServers: [] };
      {
        await using served = await serve({ ...options, variables: twoProviders });
        const loaded = await served.connection.request('session/load', params);
        expect(modelOption(loaded)).toEqual(showing('anthropic/other'));
      }
      const names = await readdir(join(cwd, 'state'), { recursive: true });
      const texts = await Promise.all(
        names.map((name) => readFile(join(cwd, 'state', name), 'utf8').catch(() => '')),
      );
      expect(texts.join('\n')).toContain('anthropic/other');
      expect(texts.join('\n')).not.toContain('sk-');
      await using served = await serve({ ...options });
      const loaded = await served.connection.request('session/resume', params);
      expect(modelOption(loaded)).toEqual(showing('parley/offline'));
      await served.connection.request('session/prompt', {
        sessionId,
        prompt: [{ type: 'text', text: 'say: on' }],
      });
      expect(served.heard.join('\n')).toContain('The model is not that of before');
    } finally {
      await rm(cwd, { recursive: true });
    }
  });

  test('an option may be set during a turn, and applies from the next response', async () => {
    const [format] = wireFormats;
    await using server = await openProviderServer(
      stream(format?.events({ texts: ['from the server'] }) ?? []),
    );
    let asked = (): void => undefined;
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    let answer: (value: object) => void = () => undefined;
    await using served = await serve({
      variables: { LLM_PROVIDER: 'local', LOCAL_BASE_URL: server.url, LOCAL_MODEL: 'm' },
      initialModel: 'parley/offline',
      onRequest: () => {
        asked();
        return new Promise((resolve) => {
          answer = resolve;
        });
      },
    });
    const prompt = served.prompt('ask: which model?\nsay: not said');
    await isAsked;
    await served.set({ configId: 'model', value: 'local/m' });
    answer({ answer: 'the other one' });
    await prompt;
    expect(served.heard.join('\n')).toContain('from the server');
    expect(served.heard.join('\n')).not.toContain('not said"');
    expect(server.requests[0]?.body).toContain('the other one');
  });
});

describe('C.9 _agentao.cn/set_model', () => {
  test('takes any model of the provider, stripped, and answers with it', async () => {
    await using served = await serve({ variables: twoProviders });
    expect(await served.setModel({ model: '  some/other  ' })).toEqual({ model: 'some/other' });
    expect(served.heard.at(-1)).toContain('"sessionUpdate":"config_option_update"');
    expect(served.heard.at(-1)).toContain('"currentValue":"openai/some/other"');
  });

  test('_meta is the protocol, and refused in the dialect agentao', async () => {
    const params = { model: 'gpt-y', _meta: {} };
    await using served = await serve({ variables: twoProviders });
    expect(await served.setModel(params)).toEqual({ model: 'gpt-y' });
    await using agentao = await serve({ variables: twoProviders, dialect: 'agentao' });
    await expect(agentao.setModel(params)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('_meta'),
    });
  });

  test.each(['apiKey', 'baseUrl'])('the field %s is refused by name', async (field) => {
    await using served = await serve({ variables: twoProviders });
    await expect(served.setModel({ model: 'm', [field]: {} })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(field),
    });
  });

  test.each([{}, { model: '' }, { model: '  ' }, { model: 5 }])('%j is refused', async (params) => {
    await using served = await serve({ variables: twoProviders });
    await expect(served.setModel(params)).rejects.toMatchObject({ code: -32602 });
  });

  test('a session that is not open is unknown', async () => {
    await using served = await serve();
    await expect(served.setModel({ sessionId: 'other', model: 'm' })).rejects.toMatchObject({
      code: -32002,
      data: { sessionId: 'other' },
    });
  });

  test('the offline provider has one model', async () => {
    await using served = await serve();
    await expect(served.setModel({ model: 'other' })).rejects.toMatchObject({ code: -32602 });
    expect(await served.setModel({ model: 'offline' })).toEqual({ model: 'offline' });
  });
});

describe.each(['session/load', 'session/resume'])('%s', (method) => {
  /** Begins a session in one environment, and goes on with it in another. */
  async function restored(
    before: Readonly<Record<string, string>>,
    after: Readonly<Record<string, string>>,
    choose?: string,
  ): Promise<{ readonly model: unknown; readonly output: string }> {
    const cwd = await temporaryFolder();
    const stateDirectory = await temporaryFolder();
    try {
      const [format] = wireFormats;
      await using provider = await openProviderServer(stream(format?.events({ texts: ['hi'] }) ?? []));
      const variables = { ...before, OPENAI_BASE_URL: provider.url };
      await using first = await serve({ cwd, stateDirectory, variables });
      await first.prompt('say: hi');
      if (choose !== undefined) await first.set({ configId: 'model', value: choose });
      const { sessionId } = first;
      await first[Symbol.asyncDispose]();
      await using second = await serve({ cwd, stateDirectory, variables: after });
      const answer = await second.connection.request(method, { sessionId, cwd, mcpServers: [] });
      await second.connection.request('session/prompt', {
        sessionId,
        prompt: [{ type: 'text', text: '/help' }],
      });
      return { model: modelOption(answer), output: second.heard.join('\n') };
    } finally {
      await rm(cwd, { recursive: true });
      await rm(stateDirectory, { recursive: true });
    }
  }

  test('a session that began on the offline model continues with it when a key is set', async () => {
    const { model, output } = await restored({}, twoProviders);
    expect(model).toEqual(showing('parley/offline'));
    expect(output).not.toContain('The model is not that of before');
  });

  test('a session continues with its model when another one is the default now', async () => {
    const { model } = await restored(twoProviders, { ...twoProviders, LLM_PROVIDER: 'anthropic' });
    expect(model).toEqual(showing('openai/gpt-x'));
  });

  test('a model chosen later wins', async () => {
    expect((await restored(twoProviders, twoProviders, 'anthropic/m')).model).toEqual(showing('anthropic/m'));
  });

  test('a model that is no longer available is reported', async () => {
    const { model, output } = await restored(twoProviders, {});
    expect(model).toEqual(showing('parley/offline'));
    expect(output).toContain('The model is not that of before');
  });
});
