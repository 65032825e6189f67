import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isRunning } from '../is-running.ts';
import { anyText, textWith } from '../matchers.ts';
import { isPosix } from '../posix.ts';
import { openProviderServer, refuse } from '../provider-server.ts';
import { idIn, openPeer } from './peer.ts';
import type { Peer, PeerOptions, Reply, WireMessage } from './peer.ts';

const text = (value: unknown): object => ({ type: 'text', text: value });

/** Settles when an update of this kind came. */
function updated(peer: Peer, kind: string): Promise<WireMessage> {
  return peer.message(
    ({ method, params }) =>
      method === 'session/update' && JSON.stringify(params).includes(`"sessionUpdate":"${kind}"`),
  );
}

describe('C.3 session/prompt', () => {
  test('is answered with a stop reason when the agent has stopped', async () => {
    await using peer = await openPeer();
    const answer = await peer.prompt('say: hi');
    expect(answer.result).toEqual({ stopReason: 'end_turn' });
    const said = peer.messages.findIndex(({ params }) => JSON.stringify(params ?? '').includes('"hi"'));
    expect(said).toBeGreaterThan(-1);
    expect(said).toBeLessThan(peer.messages.indexOf(answer));
  });

  test('several texts and links are one message', async () => {
    await using peer = await openPeer();
    const link = { type: 'resource_link', uri: 'file:///notes.txt', name: 'notes.txt' };
    const prompt = [text('say: one'), link, text('say: two')];
    await peer.ask('session/prompt', { sessionId: peer.sessionId, prompt });
    const said = peer.updates('agent_message_chunk').map(({ update }) => update['content']);
    expect(said).toEqual([text('one'), text('two')]);
  });

  test.each([
    ['without a sessionId', { sessionId: undefined }, 'sessionId'],
    ['with a sessionId that is no text', { sessionId: 5 }, 'sessionId'],
    ['without a prompt', { prompt: undefined }, 'prompt'],
    ['with a prompt that is a text', { prompt: 'say: hi' }, 'prompt'],
    ['with no block', { prompt: [] }, 'prompt'],
    [
      'with an image of another type',
      { prompt: [{ type: 'image', mimeType: 'text/plain', data: 'AAAA' }] },
      'prompt[0].mimeType',
    ],
    ['with a block that has no type', { prompt: [{ text: 'say: hi' }] }, 'prompt[0]'],
    ['with a block of a type there is not', { prompt: [{ type: 'video', data: '' }] }, 'prompt[0]'],
    ['with a text block without text', { prompt: [{ type: 'text' }] }, 'prompt[0].text'],
    [
      'with sound, which is not declared',
      { prompt: [{ type: 'audio', mimeType: 'audio/wav', data: '' }] },
      'audio',
    ],
  ])('%s is refused by its place', async (_name, params, place) => {
    await using peer = await openPeer();
    const valid = { sessionId: peer.sessionId, prompt: [text('say: hi')] };
    const { error } = await peer.ask('session/prompt', { ...valid, ...params });
    expect(error).toMatchObject({ code: -32602, message: textWith(place) });
    expect(peer.updates('agent_message_chunk')).toEqual([]);
  });

  test('to a session that is not open is refused, with the id as data', async () => {
    await using peer = await openPeer();
    expect(await peer.prompt('say: hi', 'sess_none')).toMatchObject({
      error: { code: -32002, data: { sessionId: 'sess_none' } },
    });
  });

  test('after a turn that failed the next one is taken', async () => {
    await using provider = await openProviderServer(refuse(401, 'no'));
    const variables = { LLM_PROVIDER: 'near', NEAR_BASE_URL: provider.url, NEAR_MODEL: 'm' };
    await using peer = await openPeer({ variables });
    const failed = { error: { code: -32603, data: { code: 'model-failed' } } };
    expect(await peer.prompt('hello')).toMatchObject(failed);
    expect(await peer.prompt('hello')).toMatchObject(failed);
    expect(provider.requests).toHaveLength(2);
  });

  test('while a turn runs a second one is refused; another session is free', async () => {
    await using peer = await openPeer();
    const first = peer.prompt('say: one\nsleep 3600');
    await updated(peer, 'agent_message_chunk');
    expect(await peer.prompt('say: two')).toMatchObject({ error: { code: -32600 } });
    const { result } = await peer.ask('session/new', { cwd: peer.directory, mcpServers: [] });
    expect(await peer.prompt('say: three', idIn(result))).toMatchObject({
      result: { stopReason: 'end_turn' },
    });
    peer.notify('session/cancel', { sessionId: peer.sessionId });
    expect(await first).toMatchObject({ result: { stopReason: 'cancelled' } });
    expect(await peer.prompt('say: four')).toMatchObject({ result: { stopReason: 'end_turn' } });
  });
});

describe('C.4 session/update', () => {
  test('is a notification, and names its session', async () => {
    await using peer = await openPeer();
    await peer.prompt('say: hi');
    const updates = peer.messages.filter(({ method }) => method === 'session/update');
    expect(updates.length).toBeGreaterThan(0);
    for (const message of updates) {
      expect(Object.keys(message).toSorted()).toEqual(['jsonrpc', 'method', 'params']);
      expect(message.params).toMatchObject({ sessionId: peer.sessionId, update: { sessionUpdate: anyText } });
    }
  });

  test('agent_message_chunk and agent_thought_chunk carry text', async () => {
    await using peer = await openPeer();
    await peer.prompt('think: hm\nsay: hi');
    expect(peer.updates('agent_thought_chunk').at(-1)?.update).toMatchObject({ content: text('hm') });
    expect(peer.updates('agent_message_chunk')[0]?.update).toMatchObject({ content: text('hi') });
  });

  test('user_message_chunk is how a prompt is shown again', async () => {
    await using peer = await openPeer({ keepsSessions: true });
    await peer.prompt('say: hi');
    expect(peer.updates('user_message_chunk')).toEqual([]);
    await peer.ask('session/load', { sessionId: peer.sessionId, cwd: peer.directory, mcpServers: [] });
    expect(peer.updates('user_message_chunk')).toMatchObject([{ update: { content: text('say: hi') } }]);
  });

  test('tool_call begins pending with id, title, kind and input; tool_call_update changes its status', async () => {
    await using peer = await openPeer();
    await writeFile(join(peer.directory, 'a.txt'), 'one\n');
    await peer.prompt('read a.txt');
    const [call] = peer.updates('tool_call');
    expect(call?.update).toMatchObject({
      toolCallId: anyText,
      title: 'Read a.txt',
      kind: 'read',
      status: 'pending',
      rawInput: { path: 'a.txt' },
    });
    const later = peer.updates('tool_call_update');
    const { toolCallId } = call?.update ?? {};
    expect(later.map(({ update }) => [update['toolCallId'], update['status']])).toEqual([
      [toolCallId, 'in_progress'],
      [toolCallId, 'completed'],
    ]);
    expect(later.at(-1)?.update).toMatchObject({ content: [{ type: 'content', content: { type: 'text' } }] });
  });

  test.runIf(isPosix)('in_progress brings the output of a command while it runs', async () => {
    await using peer = await openPeer();
    const turn = peer.prompt('run echo here; sleep 3600');
    const { params } = await peer.message(
      ({ method, params: each }) =>
        method === 'session/update' && /"status":"in_progress".*here/u.test(JSON.stringify(each)),
    );
    expect(params).toMatchObject({ update: { content: [{ type: 'content', content: { type: 'text' } }] } });
    peer.notify('session/cancel', { sessionId: peer.sessionId });
    await turn;
  });

  test.each([
    ['an error of the tool', 'read missing.txt'],
    ['a refusal', 'write ../outside.txt: x'],
    ['a tool there is not', 'call nothing {}'],
    ['a command with another status than 0', 'run exit 3'],
  ])('failed is the end after %s, with the reason', async (_name, prompt) => {
    await using peer = await openPeer();
    await peer.prompt(prompt);
    const last = peer.updates('tool_call_update').at(-1)?.update;
    expect(last).toMatchObject({ status: 'failed', content: [{ type: 'content' }] });
  });

  test.each([
    ['read a.txt', 'read'],
    ['list .', 'read'],
    ['search x', 'search'],
    ['write b.txt: x', 'edit'],
    ['replace one with two in a.txt', 'edit'],
    ['call edit {"path":"a.txt","edits":[{"old":"one","new":"two"}]}', 'edit'],
    ['delete a.txt', 'delete'],
    ['move a.txt to b.txt', 'move'],
    ['run echo x', 'execute'],
    ['fetch http://127.0.0.1:9/', 'fetch'],
    ['ask: What?', 'other'],
  ])('the kind of "%s" is %s', async (prompt, kind) => {
    await using peer = await openPeer();
    await writeFile(join(peer.directory, 'a.txt'), 'one\n');
    await peer.prompt(prompt);
    expect(peer.updates('tool_call')).toMatchObject([{ update: { kind } }]);
  });

  test('a failure of the model is a message, and with the dialect agentao the turn ends', async () => {
    await using provider = await openProviderServer(refuse(401, 'no'));
    const variables = { LLM_PROVIDER: 'near', NEAR_BASE_URL: provider.url, NEAR_MODEL: 'm' };
    await using peer = await openPeer({ dialect: 'agentao', variables });
    expect(await peer.prompt('hello')).toMatchObject({ result: { stopReason: 'end_turn' } });
    expect(JSON.stringify(peer.updates('agent_message_chunk'))).toContain('"Error: ');
  });
});

describe('C.5 session/request_permission', () => {
  const answering = (reply: Reply, more: PeerOptions = {}): PeerOptions => ({
    ...more,
    onRequest: ({ method }) => (method === 'session/request_permission' ? reply : { result: {} }),
  });
  const selected = (optionId: string): Reply => ({ result: { outcome: { outcome: 'selected', optionId } } });
  const written = (peer: Peer): Promise<string | undefined> =>
    readFile(join(peer.directory, 'a.txt'), 'utf8').catch(() => undefined);

  test('is a request with the call as tool_call showed it, and four options', async () => {
    await using peer = await openPeer();
    await peer.prompt('write a.txt: x');
    const [asked] = peer.requests('session/request_permission');
    const call = peer.updates('tool_call')[0]?.update;
    expect(asked?.params).toMatchObject({
      sessionId: peer.sessionId,
      toolCall: {
        toolCallId: call?.['toolCallId'],
        title: call?.['title'],
        kind: 'edit',
        status: 'pending',
        rawInput: call?.['rawInput'],
      },
      options: ['allow_once', 'allow_always', 'reject_once', 'reject_always'].map((kind) => ({
        optionId: kind,
        kind,
        name: anyText,
      })),
    });
    const shown = peer.messages.flatMap(({ method, params }) =>
      method === 'session/request_permission'
        ? ['the question']
        : (/"status":"(\w+)"/u.exec(JSON.stringify(params ?? ''))?.slice(1) ?? []),
    );
    expect(shown).toEqual(['pending', 'the question', 'in_progress', 'completed']);
  });

  test('an option that allows runs the call', async () => {
    await using peer = await openPeer(answering(selected('allow_always')));
    expect(await peer.prompt('write a.txt: x')).toMatchObject({ result: { stopReason: 'end_turn' } });
    expect(await written(peer)).toBe('x');
  });

  test.each([
    ['reject_once', selected('reject_once')],
    ['an option that was not offered', selected('allow')],
    // The program of source document 001 takes this too; the document and the protocol do not have it.
    ['an outcome that is not in an object', { result: { outcome: 'selected', optionId: 'allow_once' } }],
    ['cancelled, in no object', { result: { outcome: 'cancelled' } }],
    ['an unknown outcome', { result: { outcome: { outcome: 'granted', optionId: 'allow_once' } } }],
    ['selected without an option', { result: { outcome: { outcome: 'selected' } } }],
    ['an empty object', { result: {} }],
    ['null', { result: null }],
    ['an error', { error: { code: -32603, message: 'no' } }],
  ] as const)('%s is no permission, and the turn goes on to its end', async (_name, reply) => {
    await using peer = await openPeer(answering(reply));
    const answer = await peer.prompt('write a.txt: x\nsay: after');
    expect(answer).toMatchObject({ result: { stopReason: 'end_turn' } });
    expect(await written(peer)).toBeUndefined();
    expect(peer.updates('tool_call_update').at(-1)?.update).toMatchObject({ status: 'failed' });
    expect(peer.updates('agent_message_chunk').at(-1)?.update).toMatchObject({ content: text('after') });
  });

  test('cancelled is no permission, and ends the turn', async () => {
    await using peer = await openPeer(answering({ result: { outcome: { outcome: 'cancelled' } } }));
    const answer = await peer.prompt('write a.txt: x\nsay: after');
    expect(answer).toMatchObject({ result: { stopReason: 'cancelled' } });
    expect(await written(peer)).toBeUndefined();
    expect(peer.updates('tool_call_update').at(-1)?.update).toMatchObject({ status: 'failed' });
    expect(peer.updates('agent_message_chunk')).toEqual([]);
  });

  test('with the dialect agentao, an outcome that is not in an object is accepted', async () => {
    const flat = (result: object): PeerOptions => answering({ result }, { dialect: 'agentao' });
    await using allowed = await openPeer(flat({ outcome: 'selected', optionId: 'allow_once' }));
    expect(await allowed.prompt('write a.txt: x')).toMatchObject({ result: { stopReason: 'end_turn' } });
    expect(await written(allowed)).toBe('x');
    await using other = await openPeer(flat({ outcome: 'selected', optionId: 'allow' }));
    expect(await other.prompt('write a.txt: x')).toMatchObject({ result: { stopReason: 'end_turn' } });
    expect(await written(other)).toBeUndefined();
    await using cancelled = await openPeer(flat({ outcome: 'cancelled' }));
    expect(await cancelled.prompt('write a.txt: x')).toMatchObject({ result: { stopReason: 'cancelled' } });
  });

  test('an unanswered request is settled by the cancel of the turn', async () => {
    await using peer = await openPeer(answering(undefined));
    const turn = peer.prompt('write a.txt: x');
    await peer.message(({ method }) => method === 'session/request_permission');
    peer.notify('session/cancel', { sessionId: peer.sessionId });
    expect(await turn).toMatchObject({ result: { stopReason: 'cancelled' } });
    expect(peer.updates('tool_call_update').at(-1)?.update).toMatchObject({ status: 'failed' });
    expect(await written(peer)).toBeUndefined();
    expect(await peer.prompt('say: hi')).toMatchObject({ result: { stopReason: 'end_turn' } });
  });

  test('an unanswered request is settled by the end of input', async () => {
    await using peer = await openPeer(answering(undefined));
    const turn = peer.prompt('write a.txt: x');
    await peer.message(({ method }) => method === 'session/request_permission');
    await peer.endInput();
    expect(await turn).toMatchObject({ result: { stopReason: 'cancelled' } });
    expect(await written(peer)).toBeUndefined();
  });

  test('a reply with an id that was never used is passed over', async () => {
    await using peer = await openPeer();
    peer.write('{"jsonrpc":"2.0","id":"srv_none","result":{"outcome":{"outcome":"cancelled"}}}');
    expect(await peer.prompt('write a.txt: x')).toMatchObject({ result: { stopReason: 'end_turn' } });
    expect(await written(peer)).toBe('x');
  });
});

describe('C.6 session/cancel', () => {
  test('as a request is answered with an empty object, and the prompt with cancelled', async () => {
    await using peer = await openPeer();
    const turn = peer.prompt('say: hi\nsleep 3600');
    await updated(peer, 'agent_message_chunk');
    expect((await peer.ask('session/cancel', { sessionId: peer.sessionId })).result).toEqual({});
    expect((await turn).result).toEqual({ stopReason: 'cancelled' });
  });

  test('where nothing runs does nothing, as often as it comes', async () => {
    await using peer = await openPeer();
    const { sessionId } = peer;
    for (let index = 0; index < 3; index++) {
      expect((await peer.ask('session/cancel', { sessionId })).result).toEqual({});
    }
    peer.notify('session/cancel', { sessionId });
    expect(await peer.prompt('say: hi')).toMatchObject({ result: { stopReason: 'end_turn' } });
  });

  test('as a notification is never answered, not even for an unknown session', async () => {
    await using peer = await openPeer();
    const before = peer.messages.length;
    peer.notify('session/cancel', { sessionId: 'sess_none' });
    peer.notify('session/cancel', {});
    peer.notify('session/cancel', { sessionId: peer.sessionId });
    const answer = await peer.ask('session/cancel', { sessionId: peer.sessionId });
    expect(peer.messages.slice(before)).toEqual([answer]);
  });

  test.runIf(isPosix)('ends the command that runs, before the prompt is answered', async () => {
    await using peer = await openPeer();
    const turn = peer.prompt('run echo $$ > pid; echo "rea"dy; sleep 3600');
    await peer.message(({ params }) => JSON.stringify(params ?? '').includes('ready'));
    peer.notify('session/cancel', { sessionId: peer.sessionId });
    expect(await turn).toMatchObject({ result: { stopReason: 'cancelled' } });
    expect(isRunning(Number(await readFile(join(peer.directory, 'pid'), 'utf8')))).toBe(false);
  });

  test('reaches the session it names and no other', async () => {
    await using peer = await openPeer();
    const { result } = await peer.ask('session/new', { cwd: peer.directory, mcpServers: [] });
    const other = peer.prompt('sleep 3600', idIn(result));
    const turn = peer.prompt('say: hi\nsleep 3600');
    await updated(peer, 'agent_message_chunk');
    peer.notify('session/cancel', { sessionId: peer.sessionId });
    expect(await turn).toMatchObject({ result: { stopReason: 'cancelled' } });
    expect(await peer.prompt('say: hi', idIn(result))).toMatchObject({ error: { code: -32600 } });
    peer.notify('session/cancel', { sessionId: idIn(result) });
    expect(await other).toMatchObject({ result: { stopReason: 'cancelled' } });
  });
});

describe('C.11 _agentao.cn/ask_user', () => {
  const answering = (reply: Reply): PeerOptions => ({ onRequest: () => reply });
  const answer = (peer: Peer): string => JSON.stringify(peer.updates('tool_call_update').at(-1)?.update);

  test('is a request with the session and the question, after a call of kind other', async () => {
    await using peer = await openPeer(answering({ result: { answer: 'blue' } }));
    expect(await peer.prompt('ask: Which colour?')).toMatchObject({ result: { stopReason: 'end_turn' } });
    const [asked] = peer.requests('_agentao.cn/ask_user');
    expect(asked?.params).toEqual({ sessionId: peer.sessionId, question: 'Which colour?' });
    expect(peer.updates('tool_call')[0]?.update).toMatchObject({ kind: 'other', status: 'pending' });
    expect(answer(peer)).toContain('blue');
  });

  test.each([
    ['the shape of the program itself', { result: { outcome: 'answered', text: 'blue' } }, 'blue'],
    ['the sentinel', { result: { answer: '(user unavailable)' } }, '(user unavailable)'],
    ['an error', { error: { code: -32601, message: 'Method not found' } }, '(user unavailable)'],
    ['an empty object', { result: {} }, '(user unavailable)'],
    ['a cancel', { result: { outcome: 'cancelled' } }, '(user unavailable)'],
  ])('answered with %s', async (_name, reply, expected) => {
    await using peer = await openPeer(answering(reply));
    expect(await peer.prompt('ask: Which colour?')).toMatchObject({ result: { stopReason: 'end_turn' } });
    expect(answer(peer)).toContain(expected);
  });

  test('an unanswered request is settled by the cancel of the turn', async () => {
    await using peer = await openPeer(answering(undefined));
    const turn = peer.prompt('ask: Which colour?');
    await peer.message(({ method }) => method === '_agentao.cn/ask_user');
    peer.notify('session/cancel', { sessionId: peer.sessionId });
    expect(await turn).toMatchObject({ result: { stopReason: 'cancelled' } });
    expect(await peer.prompt('say: hi')).toMatchObject({ result: { stopReason: 'end_turn' } });
  });

  test('a client that declares forms is asked by one instead', async () => {
    const result = { action: 'accept', content: { answer: 'blue' } };
    const clientCapabilities = { elicitation: { form: {} } };
    await using peer = await openPeer({ ...answering({ result }), clientCapabilities });
    await peer.prompt('ask: Which colour?');
    expect(peer.requests('_agentao.cn/ask_user')).toEqual([]);
    expect(peer.requests('elicitation/create')).toHaveLength(1);
    expect(answer(peer)).toContain('blue');
  });
});
