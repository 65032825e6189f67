import { expect, test } from 'vitest';
import { finish, parley, seen, startParley } from './command.ts';

const initialize = '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}\n';

test('parley agent answers on standard output and ends with status 0 at the end of its input', async () => {
  const { status, stdout, stderr } = await parley(['agent'], { input: initialize });
  expect(status).toBe(0);
  expect(stderr).toBe('');
  const [answer] = stdout.trimEnd().split('\n');
  expect(JSON.parse(answer ?? '')).toMatchObject({ jsonrpc: '2.0', id: 0, result: { protocolVersion: 1 } });
});

test.skipIf(process.platform === 'win32')('TERM ends it with status 0', async () => {
  const child = startParley(['agent']);
  const finished = finish(child);
  child.stdin.write(initialize);
  await seen(child.stdout, '"result"');
  child.kill('SIGTERM');
  expect((await finished).status).toBe(0);
});

test("the dialect agentao answers with that agent's code before initialize", async () => {
  const early = '{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}\n';
  expect((await parley(['agent'], { input: early })).stdout).toContain('"code":-32600');
  expect((await parley(['agent', '--dialect', 'agentao'], { input: early })).stdout).toContain(
    '"code":-32002',
  );
});

test('wrong usage ends with status 2 and one line', async () => {
  const { status, stdout, stderr } = await parley(['agent', '--stdio']);
  expect(status).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toBe("parley: agent: unknown argument '--stdio'; see parley agent --help\n");
});
