import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { ownAgentProcess, ownAgentSandbox, takeHeldSettings } from './held-own-agent.ts';

test('keys of connected providers reach our own agent in its first line, and are in no variable', async () => {
  const home = await mkdtemp(path.join(tmpdir(), 'parley-held-'));
  const connected = { id: 'local', key: 'sk-stored', keyIn: 'file', baseUrl: 'http://127.0.0.1:9' };
  await writeFile(path.join(home, 'models.json'), JSON.stringify({ providers: [connected] }), {
    mode: 0o600,
  });
  const settings = await ownAgentSandbox(
    { rules: [] },
    { PARLEY_HOME: home },
    { spec: ownAgentProcess(), cwd: home, choice: 'workspace' },
  );
  await rm(home, { recursive: true });
  expect(JSON.stringify(settings?.env)).not.toContain('sk-stored');

  const input = new PassThrough();
  for (const part of [settings?.firstLine?.slice(0, 20), settings?.firstLine?.slice(20), '\n{"id":1}\n']) {
    input.write(part ?? '');
  }
  input.end();
  const env: NodeJS.ProcessEnv = { ...settings?.env };
  expect(await takeHeldSettings(env, input)).toMatchObject({
    rules: [],
    providers: { LOCAL_API_KEY: 'sk-stored' },
  });
  expect(env).toEqual({});
  // The messages that follow are left to be read.
  expect(await text(input)).toBe('{"id":1}\n');
});

test('without the variable nothing is read, and with it a missing line is an error', async () => {
  const input = new PassThrough();
  input.end('{"id":1}\n');
  expect(await takeHeldSettings({}, input)).toBeUndefined();
  await expect(takeHeldSettings({ PARLEY_HELD_AGENT: '1' }, input)).rejects.toMatchObject({ code: 'usage' });
  await expect(takeHeldSettings({ PARLEY_HELD_AGENT: '1' }, new PassThrough().end())).rejects.toMatchObject({
    code: 'usage',
  });
});
