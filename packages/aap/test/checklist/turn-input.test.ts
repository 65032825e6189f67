import { memoryStore, type Run } from '@parley/aap/server';
import { describe, expect, test } from 'vitest';
import { eventsOf, everything, inShort, json, lookUp, readUntil, says, stage } from '../stage.ts';

const idle = async (): Promise<void> => undefined;

/** Asks for leave to read, and executes what is granted. */
async function reads(run: Run): Promise<void> {
  const { granted } = await run.permission({ toolCallId: 'c1', name: 'read', input: {} });
  if (granted) await run.toolResult({ toolCallId: 'c1', content: 'text' });
  await run.text(String(granted));
}

const grant = { role: 'tool_permission', toolCallId: 'c1', granted: true };
const user = { role: 'user', content: 'hi' };

test.each([
  ['no messages', {}],
  ['an empty list', { messages: [] }],
  ['two of the user', { messages: [user, user] }],
  ['one of the user and a result', { messages: [user, { role: 'tool', toolCallId: 'c1', content: '' }] }],
  ['a system message', { messages: [{ role: 'system', content: 'x' }] }],
  ['an assistant message', { messages: [{ role: 'assistant', content: 'x' }] }],
  ['an unknown role', { messages: [{ role: 'nobody', content: 'x' }] }],
  ['a message without content', { messages: [{ role: 'user' }] }],
  ['an empty message', { messages: [{ role: 'user', content: '' }] }],
  ['a thought of the user', says([{ type: 'thinking', thinking: 'x' }])],
  ['a call of the user', says([{ type: 'tool_use', toolCallId: 'x', name: 'read', input: {} }])],
])('row 54: %s is 400, in each mode', async (_, body) => {
  const { create, send, history } = stage(idle);
  const sessionId = await create();
  for (const stream of ['none', 'delta', 'message']) {
    const response = await send('POST', `/sessions/${sessionId}/turns`, { ...body, stream });
    expect(response.status).toBe(400);
    expect(await json(response)).toMatchObject({ code: 'invalid_request' });
  }
  expect(await history(sessionId)).toEqual([]);
});

test('row 55, 56, 57: a turn replaces tools and merges options, for all later turns', async () => {
  const seen: unknown[] = [];
  const { create, turn, send } = stage(async (run) => {
    seen.push([[...run.serverTools.keys()], run.options, run.clientTools.map(({ name }) => name)]);
  });
  const sessionId = await create({
    agent: { name: 'tester', tools: [{ name: 'read' }], options: { tone: 'dry' } },
  });
  await turn(sessionId, {
    ...says('1'),
    agent: { tools: [{ name: 'edit' }], options: { model: 'large' } },
    tools: [],
  });
  await turn(sessionId, { ...says('2'), agent: { options: { tone: 'plain' } } });
  expect(seen).toEqual([
    [['edit'], { tone: 'dry', model: 'large', apiKey: '' }, []],
    [['edit'], { tone: 'plain', model: 'large', apiKey: '' }, []],
  ]);
  const session = await json(await send('GET', `/sessions/${sessionId}`));
  expect(session['agent']).toEqual({
    name: 'tester',
    tools: [{ name: 'edit' }],
    options: { tone: 'plain', model: 'large' },
  });
  expect(session).not.toHaveProperty('tools');
  const response = await send('POST', `/sessions/${sessionId}/turns`, {
    ...says('3'),
    agent: { options: { tone: null } },
  });
  expect(response.status).toBe(400);
});

test('row 58: a session keeps its agent', async () => {
  const { create, send } = stage(idle);
  const path = `/sessions/${await create()}/turns`;
  expect((await send('POST', path, { ...says('hi'), agent: { name: 'other' } })).status).toBe(400);
  expect((await send('POST', path, { ...says('hi'), agent: { name: 'tester' } })).status).toBe(200);
});

test('row 59: settings of a failed turn stay, those of a rejected turn are ignored', async () => {
  const { create, send } = stage(async () => {
    throw new Error('no');
  });
  const sessionId = await create();
  const path = `/sessions/${sessionId}/turns`;
  await send('POST', path, { ...says('hi'), agent: { options: { tone: 'dry' } } });
  await send('POST', path, { messages: [], agent: { options: { tone: 'wet' } } });
  await send('POST', path, { ...says('hi'), agent: { options: { tone: 'wet', model: 'huge' } } });
  const { agent } = await json(await send('GET', `/sessions/${sessionId}`));
  expect(agent).toMatchObject({ options: { tone: 'dry' } });
});

describe('row 60', () => {
  test('an approval is for one execution: a repeated one is 409, an unknown call 400', async () => {
    const { create, turn, send } = stage(reads);
    const sessionId = await create();
    const path = `/sessions/${sessionId}/turns`;
    await turn(sessionId, says('go'));
    const unknown = await send('POST', path, { messages: [{ ...grant, toolCallId: 'c9' }] });
    expect([unknown.status, (await json(unknown))['code']]).toEqual([400, 'unknown_tool_call']);

    expect(inShort(await turn(sessionId, { messages: [grant] }))).toEqual([
      'turn_start',
      'tool_result c1="text"',
      'text_delta true',
      'turn_stop end_turn',
    ]);
    const again = await send('POST', path, { messages: [grant] });
    expect([again.status, (await json(again))['code']]).toEqual([409, 'tool_call_resolved']);
  });

  test('a duplicate approval in one request is invalid', async () => {
    const { create, turn, send } = stage(reads);
    const sessionId = await create();
    await turn(sessionId, says('go'));
    const response = await send('POST', `/sessions/${sessionId}/turns`, { messages: [grant, grant] });
    expect(response.status).toBe(400);
    expect(inShort(await turn(sessionId, { messages: [grant] })).at(-1)).toBe('turn_stop end_turn');
  });

  test('an approval for a tool that is no longer enabled is a denial', async () => {
    const { create, turn } = stage(reads);
    const sessionId = await create();
    await turn(sessionId, says('go'));
    expect(inShort(await turn(sessionId, { messages: [grant], agent: { tools: [] } }))).toEqual([
      'turn_start',
      'tool_result c1="Tool call denied: the tool is not enabled"',
      'text_delta false',
      'turn_stop end_turn',
    ]);
  });

  test('of two concurrent answers one counts', async () => {
    let executions = 0;
    const { create, turn, send } = stage(async (run) => {
      const { granted } = await run.permission({ toolCallId: 'c1', name: 'read', input: {} });
      if (granted) executions += 1;
      await run.toolResult({ toolCallId: 'c1', content: 'text' });
    });
    const sessionId = await create();
    await turn(sessionId, says('go'));
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => send('POST', `/sessions/${sessionId}/turns`, { messages: [grant] })),
    );
    expect(answers.map(({ status }) => status).filter((status) => status !== 409)).toEqual([200]);
    expect(executions).toBe(1);
  });
});

test('row 61: a result is for a call of the application that waits', async () => {
  const { create, turn, send, history } = stage(async (run) => {
    await run.callClientTool({ toolCallId: 'c1', name: 'look_up', input: {} });
  });
  const sessionId = await create();
  const path = `/sessions/${sessionId}/turns`;
  const forged = { messages: [{ role: 'tool', toolCallId: 'forged', content: 'x' }] };
  expect((await send('POST', path, forged)).status).toBe(400);
  await turn(sessionId, says('go'));
  expect((await send('POST', path, forged)).status).toBe(400);
  expect((await send('POST', path, { messages: [grant] })).status).toBe(400);
  expect(JSON.stringify(await history(sessionId))).not.toContain('forged');
  const refused = { messages: [{ role: 'tool_permission', toolCallId: 'c1', granted: false, reason: 'no' }] };
  await turn(sessionId, refused);
  expect((await history(sessionId)).at(-1)).toEqual({
    role: 'tool',
    toolCallId: 'c1',
    content: 'Tool call denied: no',
  });
});

test('row 62: all waiting calls are answered together; missing ones are reported', async () => {
  const { create, turn, send } = stage(async (run) => {
    await Promise.all([
      run.permission({ toolCallId: 'c1', name: 'read', input: {} }),
      run.callClientTool({ toolCallId: 'c2', name: 'look_up', input: {} }),
    ]);
  });
  const sessionId = await create();
  await turn(sessionId, says('go'));
  const response = await send('POST', `/sessions/${sessionId}/turns`, { messages: [grant] });
  expect(response.status).toBe(400);
  expect(await json(response)).toMatchObject({
    code: 'incomplete_tool_results',
    details: { missing: ['c2'] },
  });
});

test('row 63: a new message denies waiting calls, and the old run is notified', async () => {
  const heard: unknown[] = [];
  const { create, turn, history } = stage(async (run) => {
    if (run.history.length > 0) return run.text('new');
    const [asked, called] = await Promise.allSettled([
      run.permission({ toolCallId: 'c1', name: 'read', input: {} }),
      run.callClientTool({ toolCallId: 'c2', name: 'look_up', input: {} }),
    ]);
    heard.push(asked.status === 'fulfilled' && asked.value, called.status, run.signal.reason);
    await run.text('must not be seen');
  });
  const sessionId = await create();
  await turn(sessionId, says('go'));
  expect(inShort(await turn(sessionId, says('stop that')))).toEqual([
    'turn_start',
    'text_delta new',
    'turn_stop end_turn',
  ]);
  expect(heard).toEqual([{ granted: false, by: 'superseded' }, 'rejected', 'superseded']);
  expect((await history(sessionId)).slice(2)).toEqual([
    { role: 'tool', toolCallId: 'c1', content: 'Tool call denied: superseded by a new message' },
    { role: 'tool', toolCallId: 'c2', content: 'Tool call denied: superseded by a new message' },
    { role: 'user', content: 'stop that' },
    { role: 'assistant', content: [{ type: 'text', text: 'new' }] },
  ]);
});

test('row 64: an image must be of a declared kind', async () => {
  const { image: _, ...capabilities } = everything.capabilities ?? {};
  const none = stage(idle, { info: { ...everything, capabilities } });
  const data = stage(idle, {
    info: { ...everything, capabilities: { ...capabilities, image: { data: {} } } },
  });
  const http = stage(idle, {
    info: { ...everything, capabilities: { ...capabilities, image: { http: {} } } },
  });
  const post = async ({ create, send }: typeof none, url: string): Promise<number> =>
    (await send('POST', `/sessions/${await create()}/turns`, says([{ type: 'image', url }]))).status;
  const inline = 'data:image/png;base64,iVBORw0KGgo=';
  expect(await post(none, inline)).toBe(400);
  expect(await post(data, inline)).toBe(200);
  expect(await post(data, 'https://example.com/a.png')).toBe(400);
  expect(await post(http, 'https://example.com/a.png')).toBe(200);
  expect(await post(http, inline)).toBe(400);
  for (const url of [
    'http://example.com/a.png',
    'file:///etc/passwd',
    'data:text/html,x',
    'javascript:x',
    'https://',
    '',
  ]) {
    expect(await post(data, url)).toBe(400);
    expect(await post(http, url)).toBe(400);
  }
});

test('row 65: a session has one turn at a time', async () => {
  const { create, send } = stage(async (run) => {
    await run.text('working');
    await new Promise((resolve) => {
      run.signal.addEventListener('abort', resolve);
    });
  });
  const sessionId = await create();
  const path = `/sessions/${sessionId}/turns`;
  const first = await send('POST', path, { ...says('go'), stream: 'delta' });
  const second = await send('POST', path, says('go'));
  expect([second.status, second.headers.get('retry-after')]).toEqual([409, '1']);
  expect(await json(second)).toMatchObject({ code: 'turn_in_progress' });
  await send('DELETE', `/sessions/${sessionId}`);
  await first.text();
});

describe('row 66, 67', () => {
  const secret = 'sk-very-secret';

  test('a secret is in no response and not in the store, even if its agent is no longer configured', async () => {
    const store = memoryStore();
    const kept: string[] = [];
    const spied: typeof store = {
      ...store,
      append: (sessionId, records, options) => {
        kept.push(JSON.stringify([records, options]));
        return store.append(sessionId, records, options);
      },
    };
    let seen: unknown;
    const { create, turn, send } = stage(
      async (run) => {
        seen = run.options['apiKey'];
        throw new Error(`model refused ${secret}`);
      },
      { store: spied },
    );
    const sessionId = await create({ agent: { name: 'tester', options: { apiKey: secret } } });
    const events = await turn(sessionId, says('go'));
    const gone = stage(idle, { store, info: { ...everything, name: 'other' } });
    const answers = await Promise.all([
      json(await send('GET', `/sessions/${sessionId}`)),
      json(await send('GET', '/sessions')),
      json(await gone.send('GET', '/sessions')),
      json(await send('GET', `/sessions/${sessionId}/turns`)),
    ]);
    expect(seen).toBe(secret);
    expect(answers[0]['agent']).toMatchObject({ options: { apiKey: '***' } });
    expect(JSON.stringify([answers, events, kept])).not.toContain(secret);
    expect(events.at(-1)?.data).toMatchObject({ error: { message: 'model refused ***' } });
  });

  test('sending a redacted secret leaves it unchanged, and another value replaces it', async () => {
    const seen: unknown[] = [];
    const { create, turn } = stage(async (run) => void seen.push(run.options['apiKey']));
    const sessionId = await create({ agent: { name: 'tester', options: { apiKey: secret } } });
    await turn(sessionId, { ...says('1'), agent: { options: { apiKey: '***' } } });
    await turn(sessionId, { ...says('2'), agent: { options: { apiKey: 'other' } } });
    await turn(sessionId, says('3'));
    expect(seen).toEqual([secret, 'other', 'other']);
  });

  test('a secret that can no longer be decrypted is requested again', async () => {
    const store = memoryStore();
    const sessionId = await stage(idle, { store }).create({
      agent: { name: 'tester', options: { apiKey: secret } },
    });
    const { send } = stage(idle, { store });
    const path = `/sessions/${sessionId}/turns`;
    const response = await send('POST', path, says('go'));
    expect(response.status).toBe(409);
    expect(await json(response)).toMatchObject({ code: 'secret_needed', details: { options: ['apiKey'] } });
    expect((await send('POST', path, { ...says('go'), agent: { options: { apiKey: 'new' } } })).status).toBe(
      200,
    );
  });
});

test('row 68: a result for a call of the agent is a denial with its text', async () => {
  const { create, turn } = stage(reads);
  const sessionId = await create();
  await turn(sessionId, says('go'));
  const messages = [{ role: 'tool', toolCallId: 'c1', content: [{ type: 'text', text: 'Unknown tool' }] }];
  expect(inShort(await turn(sessionId, { messages }))).toEqual([
    'turn_start',
    'tool_result c1="Tool call denied: Unknown tool"',
    'text_delta false',
    'turn_stop end_turn',
  ]);
});

test('row 30, 32, 33: invalid tools are rejected in a turn as at the start', async () => {
  const { create, send } = stage(idle);
  const path = `/sessions/${await create()}/turns`;
  for (const tools of [[lookUp, lookUp], [{ ...lookUp, name: 'read' }], [{ ...lookUp, parameters: 7 }]]) {
    expect((await send('POST', path, { ...says('hi'), tools })).status).toBe(400);
  }
  expect((await send('POST', path, { ...says('hi'), agent: { tools: [{ name: 'fly' }] } })).status).toBe(400);
});

test('tools that were set before and tools that are enabled now are distinguished', async () => {
  const { create, send } = stage(idle);
  const sessionId = await create({ agent: { name: 'tester' }, tools: [{ ...lookUp, name: 'read' }] });
  const response = await send('POST', `/sessions/${sessionId}/turns`, {
    ...says('hi'),
    agent: { tools: [{ name: 'read' }] },
  });
  expect(response.status).toBe(400);
  expect(await json(response)).toMatchObject({ code: 'duplicate_tool' });
});

test('a turn accepted while the last one is being stored starts after it', async () => {
  const { create, send } = stage(async (run) => run.text('x'));
  const sessionId = await create();
  const first = await send('POST', `/sessions/${sessionId}/turns`, { ...says('go'), stream: 'delta' });
  await readUntil(first, 'turn_stop');
  const second = await send('POST', `/sessions/${sessionId}/turns`, { ...says('go'), stream: 'delta' });
  expect(inShort(await eventsOf(second)).at(-1)).toBe('turn_stop end_turn');
});
