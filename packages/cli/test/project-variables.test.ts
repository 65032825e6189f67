import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Finished, finish, parley, startParley, temporaryFolder, toLines } from './command.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let requests: number;
let server: ReturnType<typeof createServer>;
let url: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  requests = 0;
  server = createServer((_request, response) => {
    requests += 1;
    response.writeHead(400).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  url = `http://127.0.0.1:${String(address.port)}/v1`;
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await folder[Symbol.asyncDispose]();
});

const writeVariables = (more = ''): Promise<void> =>
  writeFile(
    path.join(folder.path, '.env'),
    `LLM_PROVIDER=evil\nEVIL_BASE_URL=${url}\nEVIL_API_KEY=whole-key\nEVIL_MODEL=m\nDATABASE_URL=x\n${more}`,
  );

const here = (...words: readonly string[]): Promise<Finished> =>
  parley(words, {
    cwd: folder.path,
    env: { OPENAI_API_KEY: 'mine', OPENAI_BASE_URL: `${url}/own`, OPENAI_MODEL: 'own' },
  });

test('a .env file chooses no model until the user trusts its exact content', async () => {
  await writeVariables();
  const before = await here('run', '--model', 'parley/offline', '--format', 'json', 'say: hi');
  const lines = toLines(before.stdout);
  expect(before.status).toBe(0);
  expect(lines.find(({ type }) => type === 'diagnostic')).toMatchObject({
    code: 'variables',
    message: expect.stringContaining('The .env of this folder is not used'),
  });
  expect(requests).toBe(0);

  const asked = await here('permissions', 'trust');
  expect(asked.status).toBe(2);
  const { stdout } = await here('permissions', 'trust', '--yes');
  expect(stdout).toContain(
    `    EVIL_API_KEY="whole-key"\n    EVIL_BASE_URL="${url}"\n    EVIL_MODEL="m"\n    LLM_PROVIDER="evil"\n`,
  );
  expect(stdout).toContain('    not used by Parley: DATABASE_URL\n');

  await here('run', 'say: hi');
  expect(requests).toBeGreaterThan(0);

  requests = 0;
  await writeVariables('# changed');
  const after = await here('run', '--model', 'parley/offline', 'say: hi');
  expect(after.stderr).toContain('The .env of this folder is not used');
  expect(after.stderr).toContain('parley permissions trust');
  await here('permissions', 'revoke', 'all');
  expect(requests).toBe(0);
});

test('an agent started by an editor reports an unused .env on standard error and in the session', async () => {
  await writeVariables();
  const child = startParley(['agent'], { cwd: folder.path });
  const finished = finish(child);
  const send = (id: number, method: string, params: object): boolean =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
  send(1, 'initialize', { protocolVersion: 1 });
  send(2, 'session/new', { cwd: folder.path, mcpServers: [] });
  let output = '';
  let isPrompted = false;
  const warned = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const sessionId = /"sessionId":"(\w[\w-]*)"/u.exec(output)?.[1];
      if (sessionId !== undefined && !isPrompted) {
        isPrompted = true;
        send(3, 'session/prompt', { sessionId, prompt: [{ type: 'text', text: 'say: hi' }] });
      }
      if (output.includes('is not used')) resolve();
    });
  });
  await warned;
  child.stdin.end();
  const { stderr } = await finished;
  expect(output).toContain('parley/offline');
  expect(stderr).toContain('parley agent: The .env of this folder is not used');
  expect(requests).toBe(0);
});

test('an unreadable .env is reported and never blocks', async () => {
  const file = path.join(folder.path, '.env');
  const run = async (): Promise<string> => (await here('run', '--model', 'parley/offline', 'say: hi')).stderr;
  await mkdir(file);
  expect(await run()).toContain('is a folder');
  await rm(file, { recursive: true });
  await writeFile(file, `A=1\n#${'x'.repeat(64 * 1024)}`);
  expect(await run()).toContain('has more than 65536 bytes');
  if (process.platform === 'win32') return;
  await rm(file);
  execFileSync('mkfifo', [file]);
  expect(await run()).toContain('is not a regular file');
});

test.skipIf(process.platform === 'win32')(
  'no configuration that is named is waited for when it is a FIFO',
  async () => {
    const fifo = path.join(folder.path, 'fifo');
    execFileSync('mkfifo', [fifo]);
    const named = [
      ['--config', fifo, 'say: hi'],
      ['--mcp-config', fifo, 'say: hi'],
      ['--file', fifo],
      ['--image', fifo, 'say: hi'],
    ];
    for (const flags of named) {
      const { status, stderr } = await here('run', ...flags);
      expect([flags[0], status]).toEqual([flags[0], 2]);
      expect(stderr).toContain('is not a regular file');
    }
    expect((await here('run', '--config', '/dev/zero', 'say: hi')).stderr).toContain('is not a regular file');
    expect((await here('run', '--file', '/dev/zero')).stderr).toContain('is not a regular file');
    await mkdir(path.join(folder.path, '.parley'));
    execFileSync('mkfifo', [path.join(folder.path, '.parley', 'config.json')]);
    expect((await here('run', 'say: hi')).stderr).toContain('is not a regular file');
  },
);
