import { RpcError } from '@parley/wire';
import { expect, test } from 'vitest';
import { refuseMcpServers, type McpHostRules } from './mcp-hosts.ts';

const known = new Map([
  ['public.example', ['93.184.215.14']],
  ['inside.example', ['10.0.0.7']],
  ['both.example', ['93.184.215.14', '127.0.0.1']],
]);
const addressesOf = (name: string): Promise<readonly string[]> => Promise.resolve(known.get(name) ?? []);
const hosts = ['mcp.example.com:443', '*.listed.example', 'localhost:3001', '10.0.0.9:8080'];

test.each([
  ['https://mcp.example.com/mcp', true, true],
  ['https://MCP.example.com./mcp', true, true],
  ['https://mcp.example.com:8443/mcp', false, false],
  ['https://a.listed.example/', true, true],
  ['https://listed.example/', false, false],
  ['http://localhost:3001/mcp', true, true],
  ['http://localhost:3002/mcp', false, false],
  ['http://localhost/', false, false],
  ['http://127.0.0.1:3001/', false, false],
  ['http://10.0.0.9:8080/', true, true],
  ['http://10.0.0.9/', false, false],
  ['https://public.example/mcp', false, true],
  ['https://93.184.215.14/', false, true],
  ['https://inside.example/', false, false],
  ['https://both.example/', false, false],
  ['https://nowhere.example/', false, false],
  ['http://2130706433/', false, false],
  ['http://0x7f.1/', false, false],
  ['http://[::1]:3001/', false, false],
  ['http://[::ffff:127.0.0.1]/', false, false],
  ['http://169.254.169.254/latest/meta-data/', false, false],
  ['http://mcp.example.com@localhost:1/', false, false],
  ['ftp://mcp.example.com/', false, false],
  ['file:///etc/passwd', false, false],
  ['mcp.example.com', false, false],
  ['', false, false],
])('%s is allowed for use: %s, for admin: %s', async (url, use, admin) => {
  const allowed = async (scope: McpHostRules['scope']): Promise<boolean> =>
    (await ask([{ type: 'http', name: 'a', url, headers: [] }], scope)) === undefined;

  expect([await allowed('use'), await allowed('admin')]).toEqual([use, admin]);
});

test.each(['session/new', 'session/load', 'session/resume', 'session/fork'])(
  'a refusal of %s names the host and the setting, and no path or header',
  async (method) => {
    const server = {
      type: 'sse',
      name: 'a',
      url: 'http://127.0.0.1:9/s3cret',
      headers: [{ name: 'X', value: 's3cret' }],
    };

    const refusal = await ask([server], 'use', method);

    expect(refusal).toMatchObject({ code: -32602, message: expect.stringContaining(method) as string });
    expect(refusal?.message).toMatch(/127\.0\.0\.1:9 .*serve\.mcpHosts/u);
    expect(refusal?.message).not.toContain('s3cret');
  },
);

test('each MCP server must be allowed', async () => {
  const allowed = { type: 'http', name: 'a', url: 'https://mcp.example.com/', headers: [] };
  const other = { ...allowed, url: 'http://127.0.0.1/' };

  expect(await ask([allowed])).toBeUndefined();
  expect(await ask([allowed, other])).toMatchObject({ code: -32602 });
  expect(await ask(undefined)).toBeUndefined();
});

/** Why they are refused; undefined where they are not. */
async function ask(
  mcpServers: unknown,
  scope: McpHostRules['scope'] = 'use',
  method = 'session/new',
): Promise<RpcError | undefined> {
  try {
    await refuseMcpServers(method, { cwd: '/', mcpServers }, { hosts, scope, addressesOf });
    return undefined;
  } catch (error) {
    if (error instanceof RpcError) return error;
    throw error;
  }
}
