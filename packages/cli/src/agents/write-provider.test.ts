import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { writeProvider } from './write-provider.ts';

const headers = { 'x-key': 'sesame' };
const before = {
  agents: { mine: { command: 'node' } },
  providers: {
    mine: {
      main: { apiType: 'anthropic', baseUrl: 'https://gateway.example/v1', headers },
      other: 'disabled',
    },
  },
};

async function change(route?: Parameters<typeof writeProvider>[1]['route']): Promise<unknown> {
  const folder = await mkdtemp(path.join(tmpdir(), 'parley-provider-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = path.join(folder, 'config.json');
  await writeFile(file, JSON.stringify(before));
  const params = { agent: 'mine', providerId: 'main', ...(route !== undefined && { route }) };
  await writeProvider(file, params).catch((error: unknown) => {
    throw Object.assign(new Error(String(error)), { cause: error });
  });
  const after: unknown = JSON.parse(await readFile(file, 'utf8'));
  return after;
}

const withMain = (main?: unknown): object => ({
  ...before,
  providers: { mine: { ...(main !== undefined && { main }), other: 'disabled' } },
});

test('headers of a route are sent only to its server', async () => {
  const same = { apiType: 'openai', baseUrl: 'https://gateway.example/v2' };
  const elsewhere = { apiType: 'openai', baseUrl: 'https://gateway.example:444/v1' };
  expect(await change(same)).toEqual(withMain({ headers, ...same }));
  expect(await change(elsewhere)).toEqual(withMain(elsewhere));
});

test('a provider can be disabled, or its choice left to the agent', async () => {
  expect(await change('disabled')).toEqual(withMain('disabled'));
  expect(await change()).toEqual(withMain());
});

test.each(['ftp://example.com', 'https://ada:sesame@example.com', 'example.com'])(
  'what is no address of a provider is not written: %s',
  async (baseUrl) => {
    await expect(change({ apiType: 'openai', baseUrl })).rejects.toThrow(/baseUrl/u);
  },
);
