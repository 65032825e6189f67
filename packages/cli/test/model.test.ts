import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { commandFile, parley, temporaryFolder } from './command.ts';

/** A provider on the loopback interface that answers with the name of the model it was asked for. */
interface Provider extends AsyncDisposable {
  readonly url: string;
  /** What it was asked, as it came. */
  readonly bodies: readonly string[];
}

async function openProvider(): Promise<Provider> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      bodies.push(body);
      const { model } = JSON.parse(body) as { readonly model: string };
      const chunk = (delta: object, finish?: string): string =>
        `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`${chunk({ content: `I am ${model}` })}${chunk({}, 'stop')}data: [DONE]\n\n`);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${String(port)}/v1`,
    bodies,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

test.each([
  [[], 'I am first'],
  [['--model', 'second'], 'I am second'],
  [['--model', 'OpenAI/third/part'], 'I am third/part'],
])("run %j asks the provider of the environment's variables", async (flags, answer) => {
  await using provider = await openProvider();
  await using folder = await temporaryFolder();
  const env = { OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: provider.url, OPENAI_MODEL: 'first' };
  const { status, stdout, stderr } = await parley(['run', '--format', 'quiet', ...flags, 'who are you?'], {
    cwd: folder.path,
    env,
  });
  expect(stderr).toBe('');
  expect(stdout.trimEnd()).toBe(answer);
  expect(status).toBe(0);
});

test("AGENTS.md in the user's configuration folder is passed to the model", async () => {
  await using provider = await openProvider();
  await using folder = await temporaryFolder();
  await using home = await temporaryFolder();
  await writeFile(join(home.path, 'AGENTS.md'), 'Answer in German.');
  const env = {
    PARLEY_HOME: home.path,
    OPENAI_API_KEY: 'sk-test',
    OPENAI_BASE_URL: provider.url,
    OPENAI_MODEL: 'm',
  };
  for (const target of [[], ['--', process.execPath, commandFile, 'agent']]) {
    const { status } = await parley(['run', 'hi', ...target], { cwd: folder.path, env });
    expect(status).toBe(0);
    expect(provider.bodies.at(-1)).toContain('Answer in German.');
  }
  expect(provider.bodies).toHaveLength(2);
});

test('a provider without a key is wrong usage, and sends no prompt', async () => {
  await using folder = await temporaryFolder();
  const { status, stderr } = await parley(['run', '--model', 'openai/m', 'hi'], { cwd: folder.path });
  expect(status).toBe(2);
  expect(stderr).toContain("--model: cannot resolve provider 'openai'");
});

test('parley agent starts sessions with the given model', async () => {
  await using folder = await temporaryFolder();
  const input = [
    { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: 1 } },
    { jsonrpc: '2.0', id: 1, method: 'session/new', params: { cwd: folder.path, mcpServers: [] } },
  ];
  const { stdout } = await parley(['agent', '--model', 'anthropic/some'], {
    cwd: folder.path,
    env: { ANTHROPIC_API_KEY: 'sk-test' },
    input: input.map((message) => `${JSON.stringify(message)}\n`).join(''),
  });
  expect(stdout).toContain('"currentValue":"anthropic/some"');
  expect(stdout).not.toContain('sk-test');
});
