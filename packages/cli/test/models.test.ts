import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { parley, temporaryFolder, type Finished } from './command.ts';

// No keychain of this machine: keys go into models.json.
const withoutKeychain = { DBUS_SESSION_BUS_ADDRESS: '', XDG_RUNTIME_DIR: '' };

/** A provider on the loopback interface that accepts one key. */
async function openProvider(): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((request, response) => {
    void text(request).then(() => {
      if (request.headers.authorization !== 'Bearer sk-right') {
        response.writeHead(401, { 'content-type': 'application/json' });
        return response.end(JSON.stringify({ error: { message: 'no such key' } }));
      }
      const chunk = (delta: object, finish?: string): string =>
        `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      return response.end(`${chunk({ content: 'hi' })}${chunk({}, 'stop')}data: [DONE]\n\n`);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${String(typeof address === 'object' ? address?.port : '')}/v1`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

test.skipIf(process.platform !== 'linux')(
  'models connect stores a key that the provider accepts, runs use it, and disconnect removes it',
  async () => {
    await using provider = await openProvider();
    await using folder = await temporaryFolder();
    const file = path.join(folder.path, '.home', 'models.json');
    const models = (words: readonly string[], input?: string): Promise<Finished> =>
      parley(['models', ...words], {
        cwd: folder.path,
        env: withoutKeychain,
        ...(input !== undefined && { input }),
      });
    const connect = ['connect', 'local', '--base-url', provider.url, '--model', 'small'];

    const rejected = await models([...connect, '--key-file', '-'], 'sk-wrong\n');
    expect(rejected).toMatchObject({ status: 1, stdout: '' });
    expect(rejected.stderr).toMatch(/local\/small: .*no such key.*Nothing was stored/su);
    expect(rejected.stderr).not.toContain('sk-wrong');
    await expect(readFile(file)).rejects.toThrow('ENOENT');

    await writeFile(path.join(folder.path, 'key'), 'sk-right\n');
    expect(await models([...connect, '--key-file', 'key'])).toEqual({
      status: 0,
      stdout: `Connected local: small answered.\nThe key is in ${file}, which only you can read.\n`,
      stderr: '',
    });
    expect((await models([])).stdout).toMatch(/^local +small +connected +http/mu);
    const listed = await models(['list', '--json']);
    expect(JSON.parse(listed.stdout)).toMatchObject({
      store: 'file',
      providers: expect.arrayContaining([
        { id: 'local', model: 'small', baseUrl: provider.url, from: 'stored' },
      ]) as unknown,
    });
    expect(listed.stdout).not.toContain('sk-right');
    const run = await parley(['run', '--format', 'quiet', 'hello'], {
      cwd: folder.path,
      env: withoutKeychain,
    });
    expect(run.stdout.trimEnd()).toBe('hi');

    expect(await models(['disconnect', 'local'])).toMatchObject({
      status: 0,
      stdout: 'Disconnected local.\n',
    });
    expect(await models(['disconnect', 'local'])).toEqual({
      status: 2,
      stdout: '',
      stderr: 'parley: local is not connected; "parley models" lists the connected providers\n',
    });
  },
);

test.each([
  [['show'], 'models has no command "show"'],
  [['connect', 'Not A Name', '--no-key'], 'small letters, digits and hyphens'],
  [['connect', 'local', '--no-key'], 'local needs a base URL'],
])('models %j is wrong usage', async (words, message) => {
  await using folder = await temporaryFolder();
  const { status, stderr } = await parley(['models', ...words], { cwd: folder.path, env: withoutKeychain });
  expect(stderr).toContain(message);
  expect(status).toBe(2);
});
