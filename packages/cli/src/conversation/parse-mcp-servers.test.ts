import { expect, test } from 'vitest';
import { parseMcpServers } from './parse-mcp-servers.ts';

test("commands and URLs become MCP servers in ACP's form", async () => {
  const text = JSON.stringify({
    mcpServers: {
      files: { command: 'mcp-files', args: ['--root', '.'], env: { LEVEL: 'debug' } },
      bare: { command: 'mcp-bare' },
      web: { url: 'https://example.com/mcp', headers: { Authorization: 'Bearer x' } },
      old: { type: 'sse', url: 'https://example.com/sse' },
    },
  });
  expect(await parseMcpServers(text, 'mcp.json')).toEqual([
    { name: 'files', command: 'mcp-files', args: ['--root', '.'], env: [{ name: 'LEVEL', value: 'debug' }] },
    { name: 'bare', command: 'mcp-bare', args: [], env: [] },
    {
      type: 'http',
      name: 'web',
      url: 'https://example.com/mcp',
      headers: [{ name: 'Authorization', value: 'Bearer x' }],
    },
    { type: 'sse', name: 'old', url: 'https://example.com/sse', headers: [] },
  ]);
});

test.each([
  ['{}', 'mcp.json: expected a field "mcpServers"'],
  ['{"mcpServers": []}', 'mcp.json: mcpServers: expected an object, found a list'],
  ['{"mcpServers": {"a b": {}}}', 'mcp.json: mcpServers."a b": expected "command" or "url"'],
  [
    '{"mcpServers": {"a": {"command": "x", "url": "y"}}}',
    'mcp.json: mcpServers.a: has both "command" and "url"; one is expected',
  ],
  ['{"mcpServers": {"a": {"command": 5}}}', 'mcp.json: mcpServers.a.command: expected text, found a number'],
  [
    '{"mcpServers": {"a": {"command": "x", "args": ["ok", null]}}}',
    'mcp.json: mcpServers.a.args[1]: expected text, found null',
  ],
  ['{"mcpServers": {', 'mcp.json:1:17: not valid JSON, expected "}"'],
])('%s is refused with the place and the expectation', async (text, message) => {
  await expect(parseMcpServers(text, 'mcp.json')).rejects.toThrow(
    expect.objectContaining({ code: 'configuration', message }),
  );
});
