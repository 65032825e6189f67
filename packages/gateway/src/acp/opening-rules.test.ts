import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { RpcError } from '@parley/wire';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refuseOpening } from './opening-rules.ts';

let root = '';
let allowed = '';

beforeAll(async () => {
  root = await realpath(await mkdtemp(path.join(tmpdir(), 'parley-rules-')));
  allowed = path.join(root, 'allowed');
  await mkdir(path.join(allowed, 'inner'), { recursive: true });
  await mkdir(path.join(root, 'allowed-not'));
  await symlink(root, path.join(allowed, 'out'));
  await symlink(allowed, path.join(root, 'in'));
});

afterAll(() => rm(root, { recursive: true }));

test.each(['session/new', 'session/load', 'session/resume', 'session/fork'])(
  '%s may use the offered folders, what is below them, and links that lead there',
  async (method) => {
    for (const cwd of ['allowed', 'allowed/inner', 'in', 'in/inner', 'allowed/../allowed']) {
      expect(await ask(method, { cwd: path.join(root, cwd) })).toBeUndefined();
    }
  },
);

test.each(['', 'allowed-not', 'allowed/..', 'allowed/out', 'allowed/missing'])(
  'no session is opened in "%s"',
  async (cwd) => {
    expect(await ask('session/new', { cwd: `${root}/${cwd}` })).toMatchObject({ code: -32602 });
  },
);

test('the error names the allowed folders', async () => {
  const refusal = await ask('session/new', { cwd: root });

  expect(refusal?.message).toContain(allowed);
});

test('additional directories are checked like the first one', async () => {
  const cwd = allowed;

  expect(await ask('session/new', { cwd, additionalDirectories: [`${allowed}/inner`] })).toBeUndefined();
  expect(await ask('session/new', { cwd, additionalDirectories: [root] })).toMatchObject({ code: -32602 });
});

test('a relative directory is rejected', async () => {
  expect(await ask('session/new', { cwd: '.' })).toMatchObject({ code: -32602 });
});

test.each([
  ['a command', { name: 'a', command: '/bin/sh', args: [], env: [] }],
  [
    'a command behind a URL',
    { type: 'http', name: 'a', url: 'https://a.example', headers: [], command: '/bin/sh' },
  ],
  ['an unknown kind', { type: 'exec', name: 'a' }],
  ['no object', 'sh'],
])('an MCP server that is %s is refused', async (_name, server) => {
  expect(await ask('session/new', { cwd: allowed, mcpServers: [server] })).toMatchObject({ code: -32602 });
});

test('an MCP server with a URL is not rejected', async () => {
  const server = { type: 'http', name: 'a', url: 'https://a.example', headers: [] };

  expect(await ask('session/new', { cwd: allowed, mcpServers: [server] })).toBeUndefined();
});

test.each([
  ['session/new', undefined],
  ['session/new', {}],
  ['session/load', { sessionId: 's', mcpServers: null }],
])('what the agent refuses by itself is passed on: %s %j', async (method, params) => {
  expect(await ask(method, params)).toBeUndefined();
});

const command = { name: 'a', command: '/bin/sh', args: [], env: [] };
const server = { type: 'http', name: 'a', url: 'https://a.example', headers: [] };

test.each([
  ['params by position', () => ['/', [command]]],
  ['a directory in a list', () => ({ cwd: [root] })],
  ['a directory that is no text', () => ({ cwd: 5 })],
  ['servers in an object', () => ({ cwd: allowed, mcpServers: { 0: command, length: 1 } })],
  ['servers as text', () => ({ cwd: allowed, mcpServers: JSON.stringify([command]) })],
  ['further directories in an object', () => ({ cwd: allowed, additionalDirectories: { 0: root } })],
  ['a directory in capitals', () => ({ cwd: allowed, CWD: root })],
  ['servers in capitals', () => ({ cwd: allowed, mcpSERVERS: [command] })],
  ['servers with an underscore', () => ({ cwd: allowed, mcp_servers: [command] })],
  ['servers with a long s', () => ({ cwd: allowed, mcpServerſ: [command] })],
  [
    'a second URL in capitals',
    () => ({ cwd: allowed, mcpServers: [{ ...server, URL: 'http://127.0.0.1' }] }),
  ],
  ['a command in capitals', () => ({ cwd: allowed, mcpServers: [{ ...server, Command: 'sh' }] })],
])('what agents may take for something else than it was judged as is refused: %s', async (_what, params) => {
  expect(await ask('session/new', params())).toMatchObject({ code: -32602 });
});

/** Why it is refused; undefined where it is not. */
async function ask(method: string, params: unknown): Promise<RpcError | undefined> {
  try {
    await refuseOpening(method, params, [allowed]);
    return undefined;
  } catch (error) {
    if (error instanceof RpcError) return error;
    throw error;
  }
}
