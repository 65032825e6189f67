import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { anyText, textWith } from '../matchers.ts';
import { idIn, openPeer } from './peer.ts';
import type { Peer, WireMessage } from './peer.ts';

const providers = {
  LLM_PROVIDER: 'near',
  NEAR_BASE_URL: 'http://127.0.0.1:9/v1',
  NEAR_MODEL: 'small',
  OPENAI_API_KEY: 'sk-secret',
};

/** The settings in a result, by their id. */
function option(result: unknown, id: string): unknown {
  const { configOptions } = result as { readonly configOptions: readonly { readonly id: string }[] };
  return configOptions.find((each) => each.id === id);
}

describe('C.7 session/load', () => {
  const opened = (): Promise<Peer> => openPeer({ keepsSessions: true });
  const again = ({ sessionId, directory: cwd }: Peer): object => ({ sessionId, cwd, mcpServers: [] });

  test('is declared, shows the history, then answers with the options; the next prompt is taken', async () => {
    await using peer = await opened();
    await peer.prompt('say: one');
    await peer.ask('session/close', { sessionId: peer.sessionId });
    const before = peer.messages.length;
    const answer = await peer.ask('session/load', again(peer));
    expect(option(answer.result, 'model')).toMatchObject({ currentValue: 'parley/offline' });
    const shown = peer.messages.slice(before, peer.messages.indexOf(answer));
    const kinds = shown.map(({ params }) => JSON.stringify(params));
    expect(kinds.some((each) => each.includes('user_message_chunk') && each.includes('say: one'))).toBe(true);
    expect(kinds.some((each) => each.includes('agent_message_chunk') && each.includes('"one"'))).toBe(true);
    expect(await peer.prompt('say: two')).toMatchObject({ result: { stopReason: 'end_turn' } });
  });

  test.each([
    ['open', -32600],
    ['closed', -32002],
  ])(
    'a prompt that is sent before the answer is refused and does not mix with the history: the session was %s',
    async (state, code) => {
      await using peer = await opened();
      await peer.prompt('say: one');
      if (state === 'closed') await peer.ask('session/close', { sessionId: peer.sessionId });
      const [load, prompt] = [peer.ask('session/load', again(peer)), peer.prompt('say: two')];
      expect(await prompt).toMatchObject({ error: { code } });
      expect(await load).toHaveProperty('result');
      expect(await peer.prompt('say: three')).toMatchObject({ result: { stopReason: 'end_turn' } });
      const said = peer.updates('agent_message_chunk').map(({ update }) => update['content']);
      expect(said).toMatchObject([{ text: 'one' }, { text: 'one' }, { text: 'three' }]);
    },
  );

  test.each([
    ['an unknown id', { sessionId: 'sess_none' }, -32002, 'sess_none'],
    ['no id', { sessionId: undefined }, -32602, 'sessionId'],
    ['a relative cwd', { cwd: 'src' }, -32602, 'cwd'],
    ['no mcpServers', { mcpServers: undefined }, -32602, 'mcpServers'],
  ])('%s is refused', async (_name, params, code, part) => {
    await using peer = await opened();
    await peer.prompt('say: one');
    const answer = await peer.ask('session/load', { ...again(peer), ...params });
    expect(answer).toMatchObject({ error: { code } });
    expect(JSON.stringify(answer)).toContain(part);
  });

  test('another cwd than that of the session is refused', async () => {
    await using peer = await opened();
    await peer.prompt('say: one');
    const cwd = join(peer.directory, 'other');
    await mkdir(cwd);
    expect(await peer.ask('session/load', { ...again(peer), cwd })).toMatchObject({
      error: { code: -32602, message: textWith(cwd) },
    });
  });

  test('other MCP servers than before are taken, and the user is notified', async () => {
    await using peer = await opened();
    await peer.prompt('say: one');
    const mcpServers = [{ name: 'x', command: '/nowhere/server', args: [], env: [] }];
    expect(await peer.ask('session/load', { ...again(peer), mcpServers })).toHaveProperty('result');
    await peer.prompt('say: two');
    expect(JSON.stringify(peer.updates())).toContain('The MCP servers are not those of before');
  });

  test('without a place for sessions it is not declared, and no method', async () => {
    await using peer = await openPeer();
    expect(await peer.ask('session/load', again(peer))).toMatchObject({ error: { code: -32601 } });
  });
});

describe('C.8 session/set_config_option', () => {
  const set = (peer: Peer, params: object): Promise<unknown> =>
    peer.ask('session/set_config_option', { sessionId: peer.sessionId, ...params });

  test('answers with all options, the model among them as provider/model', async () => {
    await using peer = await openPeer({ variables: providers });
    const answer = await set(peer, { configId: 'model', value: 'NEAR/Big/One' });
    expect(option((answer as { readonly result: unknown }).result, 'model')).toMatchObject({
      id: 'model',
      name: 'Model',
      category: 'model',
      type: 'select',
      currentValue: 'near/Big/One',
      options: expect.arrayContaining([expect.objectContaining({ value: 'near/Big/One' })]),
    });
  });

  test('a bare model keeps the provider', async () => {
    await using peer = await openPeer({ variables: providers });
    const answer = await set(peer, { configId: 'model', value: 'big' });
    expect(option((answer as { readonly result: unknown }).result, 'model')).toMatchObject({
      currentValue: 'near/big',
    });
  });

  test.each(['apiKey', 'baseUrl', 'anything'])('the field %s is refused by name', async (field) => {
    await using peer = await openPeer({ variables: providers });
    const answer = await set(peer, { configId: 'model', value: 'big', [field]: 'sk-secret' });
    expect(answer).toMatchObject({ error: { code: -32602, message: textWith(field) } });
    expect(JSON.stringify(answer)).not.toContain('sk-secret');
  });

  test('_meta is taken, as everywhere; with the dialect agentao it is refused', async () => {
    await using peer = await openPeer({ variables: providers });
    expect(await set(peer, { configId: 'model', value: 'big', _meta: {} })).toHaveProperty('result');
    await using other = await openPeer({ variables: providers, dialect: 'agentao' });
    expect(await set(other, { configId: 'model', value: 'big', _meta: {} })).toMatchObject({
      error: { code: -32602, message: textWith('_meta') },
    });
  });

  test.each([
    ['the protocol', undefined, -32602],
    ['agentao', 'agentao', -32600],
  ] as const)('an unknown configId is refused with the code of %s', async (_name, dialect, code) => {
    await using peer = await openPeer({ ...(dialect !== undefined && { dialect }) });
    expect(await set(peer, { configId: 'none', value: 'x' })).toMatchObject({ error: { code } });
  });

  test.each([undefined, '', ' ', '/', 'near/', '/big', 5, true])('the value %j is refused', async (value) => {
    await using peer = await openPeer({ variables: providers });
    expect(await set(peer, { configId: 'model', value })).toMatchObject({ error: { code: -32602 } });
  });

  test('a provider that cannot be resolved is refused by name alone', async () => {
    await using peer = await openPeer({ variables: providers });
    expect(await set(peer, { configId: 'model', value: 'far/big' })).toMatchObject({
      error: { code: -32600, message: "cannot resolve provider 'far'" },
    });
  });

  test('a session that is not open is unknown', async () => {
    await using peer = await openPeer();
    const params = { sessionId: 'sess_none', configId: 'model', value: 'x' };
    expect(await peer.ask('session/set_config_option', params)).toMatchObject({ error: { code: -32002 } });
  });
});

describe('C.9 _agentao.cn/set_model', () => {
  test('takes any model of the provider, stripped, and answers with it; no field but its own', async () => {
    await using peer = await openPeer({ variables: providers });
    const { sessionId } = peer;
    const params = { sessionId, model: ' org/big ' };
    expect((await peer.ask('_agentao.cn/set_model', params)).result).toEqual({ model: 'org/big' });
    for (const field of ['apiKey', 'baseUrl']) {
      expect(await peer.ask('_agentao.cn/set_model', { ...params, [field]: 'x' })).toMatchObject({
        error: { code: -32602, message: textWith(field) },
      });
    }
    for (const model of [undefined, '', ' ', 5]) {
      expect(await peer.ask('_agentao.cn/set_model', { sessionId, model })).toMatchObject({
        error: { code: -32602 },
      });
    }
  });
});

describe('C.10 session/set_mode', () => {
  const set = (peer: Peer, modeId: unknown, sessionId = peer.sessionId): Promise<WireMessage> =>
    peer.ask('session/set_mode', { sessionId, modeId });

  test.each(['read-only', 'workspace-write', 'full-access', 'plan', 'code', 'ask'])(
    '%s is sent in an update, then echoed',
    async (modeId) => {
      await using peer = await openPeer();
      const before = peer.messages.length;
      const answer = await set(peer, modeId);
      expect(answer).toMatchObject({ result: { modeId } });
      const after = peer.messages.slice(before, peer.messages.indexOf(answer));
      expect(after[0]?.params).toEqual({
        sessionId: peer.sessionId,
        update: { sessionUpdate: 'current_mode_update', currentModeId: modeId },
      });
    },
  );

  test.each([
    ['read-only', 0, 'failed'],
    ['plan', 0, 'failed'],
    ['workspace-write', 0, 'completed'],
    ['full-access', 0, 'completed'],
    ['code', 1, 'completed'],
  ])('in %s a write asks %i times and is %s', async (modeId, questions, status) => {
    await using peer = await openPeer();
    await set(peer, modeId);
    await peer.prompt('write a.txt: x');
    expect(peer.requests('session/request_permission')).toHaveLength(questions);
    expect(peer.updates('tool_call_update').at(-1)?.update).toMatchObject({ status });
  });

  test('changes one session only', async () => {
    await using peer = await openPeer();
    const { result } = await peer.ask('session/new', { cwd: peer.directory, mcpServers: [] });
    await set(peer, 'full-access');
    await peer.prompt('write a.txt: x', idIn(result));
    expect(peer.requests('session/request_permission')).toHaveLength(1);
  });

  test.each([
    ['is missing', undefined],
    ['is empty', ''],
    ['is blank', ' '],
    ['is no text', 5],
  ])('a modeId that %s is refused', async (_name, modeId) => {
    await using peer = await openPeer();
    expect(await set(peer, modeId)).toMatchObject({ error: { code: -32602, message: textWith('modeId') } });
    expect(peer.updates('current_mode_update')).toEqual([]);
  });

  test('a field named mode is not the one', async () => {
    await using peer = await openPeer();
    const params = { sessionId: peer.sessionId, mode: 'plan' };
    expect(await peer.ask('session/set_mode', params)).toMatchObject({
      error: { code: -32602, message: anyText },
    });
  });

  test('a session that is not open is unknown', async () => {
    await using peer = await openPeer();
    expect(await set(peer, 'plan', 'sess_none')).toMatchObject({ error: { code: -32002 } });
  });
});
