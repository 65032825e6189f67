import { describe, expect, test } from 'vitest';
import { anyText, textWith } from '../matchers.ts';
import { openPeer } from './peer.ts';
import type { WireMessage } from './peer.ts';

/** What a line is answered with, and that the connection goes on. */
async function answerTo(line: string): Promise<WireMessage> {
  await using peer = await openPeer();
  const before = peer.messages.length;
  peer.write(line);
  expect(await peer.prompt('say: hi')).toMatchObject({ result: { stopReason: 'end_turn' } });
  const [first = {}] = peer.messages.slice(before);
  return first;
}

describe('C.12 error codes', () => {
  test.each(['{"jsonrpc":"2.0","id":7,', 'hello', '{"jsonrpc": "2.0" "id": 1}', '\u0000'])(
    '-32700: the line %j is no JSON',
    async (line) => {
      expect(await answerTo(line)).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32700 } });
    },
  );

  test.each([
    ['a list', '[{"jsonrpc":"2.0","id":7,"method":"session/new"}]'],
    ['an empty list', '[]'],
    ['a number', '5'],
    ['a text', '"hello"'],
    ['another version', '{"jsonrpc":"1.0","id":7,"method":"session/new","params":{}}'],
    ['no version', '{"id":7,"method":"session/new","params":{}}'],
    ['no method', '{"jsonrpc":"2.0","id":7,"params":{}}'],
    ['a method that is no text', '{"jsonrpc":"2.0","id":7,"method":5}'],
    ['params that are a text', '{"jsonrpc":"2.0","id":7,"method":"session/new","params":"x"}'],
    ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"session/new","params":{}}'],
  ])('-32600: %s is JSON and no request', async (_name, line) => {
    expect(await answerTo(line)).toMatchObject({ jsonrpc: '2.0', error: { code: -32600 } });
  });

  test('-32600: with the dialect agentao, an invalid request is answered under its id', async () => {
    await using peer = await openPeer({ dialect: 'agentao' });
    peer.write('{"jsonrpc":"1.0","id":7,"method":"session/new","params":{}}');
    peer.write('{"jsonrpc":"2.0","id":"x","method":5}');
    peer.write('{"jsonrpc":"2.0","id":{},"method":"session/new"}');
    peer.write('{"id":"ours","result":{}}');
    await peer.prompt('say: hi');
    expect(peer.messages.filter(({ error }) => error !== undefined)).toMatchObject([
      { id: 7, error: { code: -32600 } },
      { id: 'x', error: { code: -32600 } },
      { id: null, error: { code: -32600 } },
      { id: null, error: { code: -32600 } },
    ]);
  });

  test('-32600: a second request with an id that is not answered yet; the first one continues', async () => {
    await using peer = await openPeer();
    const { sessionId } = peer;
    const prompt = [{ type: 'text', text: 'say: one' }];
    const line = JSON.stringify({
      jsonrpc: '2.0',
      id: 7,
      method: 'session/prompt',
      params: { sessionId, prompt },
    });
    peer.write(`${line}\n${line}`);
    await peer.message(({ id, result }) => id === 7 && result !== undefined);
    expect(peer.messages.filter(({ id }) => id === 7)).toMatchObject([
      { error: { code: -32600 } },
      { result: { stopReason: 'end_turn' } },
    ]);
  });

  test.each(['session/none', 'initialise', '_unknown/method', 'fs/read_text_file', 'toString', '__proto__'])(
    '-32601: there is no method %s',
    async (method) => {
      await using peer = await openPeer();
      expect(await peer.ask(method)).toMatchObject({ error: { code: -32601, message: anyText } });
    },
  );

  test('-32602: params that are wrong, with their place', async () => {
    await using peer = await openPeer();
    expect(await peer.ask('session/prompt', { sessionId: peer.sessionId, prompt: 5 })).toMatchObject({
      error: { code: -32602, message: textWith('prompt') },
    });
    expect(await peer.ask('session/prompt', [])).toMatchObject({ error: { code: -32602 } });
  });

  test('-32603: an internal error reveals no details', async () => {
    const models = { open: () => Promise.reject(new Error('the secret is 42')) };
    await using peer = await openPeer({ begin: 'initialized', models });
    const answer = await peer.ask('session/new', { cwd: peer.directory, mcpServers: [] });
    expect(answer).toMatchObject({ error: { code: -32603 } });
    expect(JSON.stringify(answer)).not.toContain('42');
  });

  test.each(['session/new', 'session/prompt', 'session/set_mode', '_agentao.cn/set_model', 'session/none'])(
    'before initialize: %s is refused -32600, and with the dialect agentao -32002',
    async (method) => {
      await using peer = await openPeer({ begin: 'nothing' });
      expect(await peer.ask(method)).toMatchObject({ error: { code: -32600 } });
      await using other = await openPeer({ begin: 'nothing', dialect: 'agentao' });
      expect(await other.ask(method)).toMatchObject({ error: { code: -32002 } });
    },
  );

  test('-32002: a session that is not open, in both dialects, with its id', async () => {
    for (const dialect of [{}, { dialect: 'agentao' }] as const) {
      await using peer = await openPeer(dialect);
      expect(await peer.prompt('say: hi', 'sess_none')).toMatchObject({
        error: { code: -32002, data: { sessionId: 'sess_none' } },
      });
    }
  });

  test('blank lines and notifications are not answered', async () => {
    await using peer = await openPeer();
    const before = peer.messages.length;
    peer.write('\n  \n');
    peer.notify('session/none', {});
    peer.notify('session/prompt', { sessionId: peer.sessionId, prompt: 5 });
    peer.notify('$/cancel_request', { requestId: 'none' });
    const answer = await peer.ask('session/none');
    expect(peer.messages.slice(before)).toEqual([answer]);
  });

  test('the message of an error is one line', async () => {
    await using peer = await openPeer();
    const answers = [
      await peer.ask('session/none'),
      await peer.ask('session/new', { cwd: 'a\nb', mcpServers: [] }),
      await peer.ask('session/set_config_option', { sessionId: peer.sessionId, configId: 'x', value: 'y' }),
    ];
    const oneLine: unknown = expect.stringMatching(/^[^\n]+$/u);
    for (const { error } of answers) expect(error).toMatchObject({ message: oneLine });
  });
});
