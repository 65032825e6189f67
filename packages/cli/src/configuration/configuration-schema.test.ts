import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { parseConfiguration } from './parse-configuration.ts';

const valid = {
  $schema: 'https://example.com/configuration.schema.json',
  defaultAgent: 'mine',
  agents: {
    mine: {
      command: 'node',
      args: ['agent.mjs'],
      env: { KEY: 'value', LEVEL: { value: 'debug', public: true } },
      options: [{ type: 'secret', name: 'apiKey', env: 'API_KEY', default: '' }],
    },
    far: { url: 'wss://example.com/acp', headers: { 'X-A': 'b' }, tokenEnv: 'TOKEN', sandbox: 'off' },
    gemini: { sandbox: { mode: 'read-only', network: 'on' } },
  },
  permissions: { rules: [{ tool: 'execute', command: 'npm test', decision: 'allow' }] },
  limits: { requestSeconds: 60, startSeconds: 0.5, openSeconds: 120 },
  changes: { enabled: true, maxFileBytes: 1, maxBytes: 2_147_483_648 },
  sandbox: {
    mode: 'workspace',
    write: ['../cache'],
    stateDirs: ['~/.mine'],
    read: ['/usr', '~/src'],
    hide: ['secrets'],
    network: ['example.com', '*.example.com:8443'],
    autoApprove: true,
  },
  providers: {
    claude: {
      main: { apiType: 'anthropic', baseUrl: 'https://gateway.example/v1', headers: { 'X-A': 'b' } },
      other: 'disabled',
    },
  },
  serve: { mcpHosts: ['mcp.example.com'] },
};

async function judgeBoth(value: unknown): Promise<{ schema: boolean; reader: boolean; warnings: number }> {
  const file = new URL('../../configuration.schema.json', import.meta.url);
  const published: unknown = JSON.parse(await readFile(file, 'utf8'));
  const schema = new Ajv2020({ strict: true }).validate(Object(published), value);
  const read = await parseConfiguration(JSON.stringify(value), 'file').catch(() => undefined);
  return { schema, reader: read !== undefined, warnings: read?.warnings.length ?? 0 };
}

test('the published schema accepts a configuration with every field', async () => {
  expect(await judgeBoth(valid)).toEqual({ schema: true, reader: true, warnings: 0 });
  expect(await judgeBoth({})).toEqual({ schema: true, reader: true, warnings: 0 });
});

test.each<[change: object]>([
  [[]],
  [{ defaultAgent: '' }],
  [{ agents: [] }],
  [{ agents: { a: {} } }],
  [{ agents: { a: { command: 'a', url: 'b' } } }],
  [{ agents: { a: { command: 'a', args: [1] } } }],
  [{ agents: { a: { command: 'a', env: { A: { public: true } } } } }],
  [{ agents: { a: { command: 'a', options: [{ type: 'select', name: 'n' }] } } }],
  [{ permissions: { rules: [{ tool: 'edit' }] } }],
  [{ permissions: { rules: [{ tool: 'edit', decision: 'yes' }] } }],
  [{ limits: { requestSeconds: 0 } }],
  [{ providers: { claude: { main: 'off' } } }],
  [{ providers: { claude: { main: { apiType: 'openai' } } } }],
  [{ limits: { requestSeconds: '60' } }],
  [{ sandbox: 'on' }],
  [{ sandbox: { mode: 'all' } }],
  [{ sandbox: { write: '/a' } }],
  [{ sandbox: { read: 'some' } }],
  [{ sandbox: { network: 1 } }],
  [{ agents: { a: { sandbox: 1 } } }],
  [{ changes: { enabled: 'no' } }],
  [{ changes: { maxBytes: 1.5 } }],
  [{ changes: { maxBytes: 0 } }],
  [{ serve: { mcpHosts: 'a' } }],
])('the published schema rejects %j, as the reader does', async (change) => {
  expect(await judgeBoth(Array.isArray(change) ? change : { ...valid, ...change })).toEqual({
    schema: false,
    reader: false,
    warnings: 0,
  });
});

test('the published schema rejects an unknown field, about which the reader warns', async () => {
  expect(await judgeBoth({ ...valid, limits: { startSecond: 1 } })).toEqual({
    schema: false,
    reader: true,
    warnings: 1,
  });
});
