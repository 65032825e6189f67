import { expect, test } from 'vitest';
import { mayHoldSecret } from './may-hold-secret.ts';

const web = { type: 'http', name: 'web', url: 'https://mcp.example.com/' };
const program = { name: 'program', command: '/bin/program', args: ['--verbose'] };

test.each([
  ['a header of an MCP server of any name', { ...web, headers: [{ name: 'X-Team', value: 'a' }] }],
  ['a variable of an MCP server of any name', { ...program, env: [{ name: 'DEBUG', value: 'a' }] }],
  ['a flag that is named like a secret', { ...program, args: ['--api-key', 'abc'], env: [] }],
  ['a password in an address', { ...web, url: 'https://ada:abcd@mcp.example.com/', headers: [] }],
  ['an option that is named like a secret', { configId: 'api_key', value: 'abc' }],
  ['options by name', { _meta: { 'parley/options': { accessToken: 'abc' } } }],
  ['a text in the format of a key', { note: `it is ghp_${'a1'.repeat(12)}` }],
])('%s may hold a secret', (_what, value) => {
  expect(mayHoldSecret({ sessionId: 'one', params: [value] })).toBe(true);
});

test.each([
  ['an MCP server without variables', { ...program, env: [] }],
  ['an MCP server without headers', { ...web, headers: [] }],
  ['a variable without a value', { ...program, env: [{ name: 'API_KEY', value: '' }] }],
  ['an option', { configId: 'model', value: 'large' }],
  ['a number of tokens', { maxTokens: 100 }],
])('%s holds none', (_what, value) => {
  expect(mayHoldSecret({ sessionId: 'one', params: [value] })).toBe(false);
});
