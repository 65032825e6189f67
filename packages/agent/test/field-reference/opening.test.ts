import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { anyText, textWith } from '../matchers.ts';
import { idIn, openPeer } from './peer.ts';
import type { Peer } from './peer.ts';

const uninitialized = (): Promise<Peer> => openPeer({ begin: 'nothing' });

describe('C.1 initialize', () => {
  test('the answer has the version, capabilities, no ways to authenticate, who it is, and the extensions', async () => {
    await using peer = await openPeer({ begin: 'nothing', keepsSessions: true });
    const { result } = await peer.ask('initialize', {
      protocolVersion: 1,
      clientCapabilities: { fs: { readFile: true, writeFile: true } },
      clientInfo: { name: 'editor', version: '1', title: 'Editor' },
    });
    expect(result).toMatchObject({
      protocolVersion: 1,
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, audio: false, embeddedContext: true },
        mcpCapabilities: { sse: true, http: true },
      },
      authMethods: [],
      agentInfo: { name: anyText, title: anyText, version: anyText },
      _meta: {
        '_agentao.cn/extensions': expect.arrayContaining([
          { method: '_agentao.cn/ask_user', description: anyText },
        ]),
      },
    });
  });

  test.each([2, 0, 65_535])('version %i is answered with 1, and no error', async (protocolVersion) => {
    await using peer = await uninitialized();
    expect(await peer.ask('initialize', { protocolVersion, clientCapabilities: {} })).toMatchObject({
      result: { protocolVersion: 1 },
    });
  });

  test.each([true, false, '1', 1.5, -1, null, undefined, [1]])(
    'the version %j is refused, and initialize can be tried again',
    async (protocolVersion) => {
      await using peer = await uninitialized();
      const refused = await peer.ask('initialize', { protocolVersion, clientCapabilities: {} });
      expect(refused).toMatchObject({ error: { code: -32602, message: textWith('protocolVersion') } });
      expect(await peer.ask('initialize', { protocolVersion: 1 })).toHaveProperty('result');
    },
  );

  test('params that are a list are refused', async () => {
    await using peer = await uninitialized();
    expect(await peer.ask('initialize', [])).toMatchObject({ error: { code: -32602 } });
  });

  test.each([
    ['clientInfo', { clientCapabilities: {} }],
    ['clientCapabilities', { clientInfo: { name: 'x', version: '1' } }],
  ])('%s may be left out', async (_name, params) => {
    await using peer = await uninitialized();
    const answer = await peer.ask('initialize', { protocolVersion: 1, ...params });
    expect(answer).toMatchObject({ result: { protocolVersion: 1 } });
  });

  test('only the names of the protocol declare files and terminals', async () => {
    const clientCapabilities = { fs: { readFile: true, writeFile: true }, terminals: true };
    await using peer = await openPeer({ clientCapabilities });
    await peer.prompt('write a.txt: x\nread a.txt\nrun echo hi');
    const asked = peer.messages.flatMap(({ id, method }) =>
      id !== undefined && method !== undefined ? [method] : [],
    );
    expect(new Set(asked)).toEqual(new Set(['session/request_permission']));
    expect(await readFile(join(peer.directory, 'a.txt'), 'utf8')).toBe('x');
  });

  test('a second one is rejected, and the session continues', async () => {
    await using peer = await openPeer();
    expect(await peer.ask('initialize', { protocolVersion: 1 })).toMatchObject({ error: { code: -32600 } });
    expect(await peer.prompt('say: hi')).toMatchObject({ result: { stopReason: 'end_turn' } });
  });
});

describe('C.2 session/new', () => {
  const refusal = async (params: (directory: string) => object): Promise<unknown> => {
    await using peer = await openPeer({ begin: 'initialized' });
    const { error } = await peer.ask('session/new', params(peer.directory));
    expect(error).toMatchObject({ code: -32602 });
    return (error as { readonly message: string }).message;
  };

  test('the answer has an id, and the model among the options', async () => {
    await using peer = await openPeer({ begin: 'initialized' });
    const { result } = await peer.ask('session/new', { cwd: peer.directory, mcpServers: [] });
    expect(idIn(result)).toMatch(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/u);
    expect(result).toMatchObject({
      configOptions: expect.arrayContaining([
        {
          id: 'model',
          name: 'Model',
          category: 'model',
          type: 'select',
          currentValue: 'parley/offline',
          options: [expect.objectContaining({ value: 'parley/offline' })],
        },
      ]),
    });
  });

  test('each session has an id of its own', async () => {
    await using peer = await openPeer();
    const { result } = await peer.ask('session/new', { cwd: peer.directory, mcpServers: [] });
    expect(idIn(result)).not.toBe(peer.sessionId);
  });

  test.each([
    ['missing', undefined],
    ['no text', 5],
    ['empty', ''],
    ['relative', 'src'],
  ])('a cwd that is %s is refused by name', async (_name, cwd) => {
    expect(await refusal(() => ({ cwd, mcpServers: [] }))).toContain('cwd');
  });

  test('a cwd that does not exist or is a file is rejected with its path', async () => {
    await using peer = await openPeer({ begin: 'initialized' });
    await writeFile(join(peer.directory, 'file'), '');
    for (const name of ['missing', 'file']) {
      const cwd = join(peer.directory, name);
      const { error } = await peer.ask('session/new', { cwd, mcpServers: [] });
      expect(error).toMatchObject({ code: -32602, message: textWith(cwd) });
    }
  });

  test.each([
    ['left out', undefined, 'mcpServers'],
    ['no list', {}, 'mcpServers'],
    ['a list of texts', ['x'], 'mcpServers[0]'],
    ['without a name', [{ command: 'x', args: [], env: [] }], 'mcpServers[0].name'],
    ['with an empty name', [{ name: '', command: 'x', args: [], env: [] }], 'mcpServers[0].name'],
    ['with an empty command', [{ name: 'x', command: '', args: [], env: [] }], 'mcpServers[0].command'],
    ['with an empty url', [{ name: 'x', type: 'sse', url: ' ', headers: [] }], 'mcpServers[0].url'],
    ['of a type there is not', [{ name: 'x', type: 'ws', url: 'ws://x', headers: [] }], 'mcpServers[0]'],
    [
      'of a type there is not, with a command',
      [{ name: 'x', type: 'ftp', command: 'x', args: [], env: [] }],
      'mcpServers[0].type',
    ],
    ['without a command', [{ name: 'x', args: [], env: [] }], 'mcpServers[0].command'],
    ['with args that are no texts', [{ name: 'x', command: 'x', args: [5], env: [] }], 'mcpServers[0].args'],
    [
      'with an env that is a map',
      [{ name: 'x', command: 'x', args: [], env: { A: 'b' } }],
      'mcpServers[0].env',
    ],
    ['with a url type and no url', [{ name: 'x', type: 'sse', headers: [] }], 'mcpServers[0].url'],
    [
      'with headers that are a map',
      [{ name: 'x', type: 'http', url: 'http://x', headers: {} }],
      'mcpServers[0].headers',
    ],
  ])('mcpServers %s are refused by their place', async (_name, mcpServers, place) => {
    expect(await refusal((cwd) => ({ cwd, mcpServers }))).toContain(place);
  });

  test.each([
    ['stdio', { name: 'x', command: '/nowhere/server', args: ['a'], env: [{ name: 'A', value: 'b' }] }],
    ['stdio with that type', { name: 'x', type: 'stdio', command: '/nowhere/server', args: [], env: [] }],
    ['sse', { name: 'x', type: 'sse', url: 'http://127.0.0.1:9/', headers: [{ name: 'A', value: 'b' }] }],
    ['http', { name: 'x', type: 'http', url: 'http://127.0.0.1:9/', headers: [] }],
  ])('a server over %s is taken, and one that cannot be reached costs no session', async (_name, server) => {
    await using peer = await openPeer({ begin: 'initialized' });
    const { result } = await peer.ask('session/new', { cwd: peer.directory, mcpServers: [server] });
    expect(await peer.prompt('say: hi', idIn(result))).toMatchObject({ result: { stopReason: 'end_turn' } });
    expect(JSON.stringify(peer.updates())).toContain('MCP server');
  });

  test.each([
    ['the protocol', undefined, -32600],
    ['agentao', 'agentao', -32002],
  ] as const)('before initialize it is refused with the code of %s', async (_name, dialect, code) => {
    await using peer = await openPeer({ begin: 'nothing', ...(dialect !== undefined && { dialect }) });
    const { error } = await peer.ask('session/new', { cwd: peer.directory, mcpServers: [] });
    expect(error).toMatchObject({ code });
  });
});
