import type { AgentInfo } from '@parley/aap';
import { createAapServer } from '@parley/aap/server';
import { expect, test } from 'vitest';
import { everything, json, says, stage, stageOf } from '../stage.ts';

const idle = { info: everything, run: async () => ({ stopReason: 'end_turn' }) as const };

test('row 1: /meta has version 3, and extensions in a separate field', async () => {
  const { send } = stageOf([idle]);
  const meta = await json(await send('GET', '/meta'));
  expect(meta).toMatchObject({ version: 3, agents: [everything], extensions: { turns: {}, cancel: {} } });
});

test('row 2: /meta may be public, and with a key shows the agents of that key', async () => {
  const other = { ...idle, info: { ...everything, name: 'other' } };
  const authorize = ({ headers }: Request) =>
    headers.get('authorization') === 'Bearer one' ? { agents: ['other'] } : undefined;
  const closed = stageOf([idle, other], { authorize });
  const open = stageOf([idle, other], { authorize, isMetaPublic: true });

  expect((await closed.send('GET', '/meta')).status).toBe(401);
  const { agents } = await json(
    await closed.send('GET', '/meta', undefined, { authorization: 'Bearer one' }),
  );
  expect(agents).toMatchObject([{ name: 'other' }]);
  expect((await open.send('GET', '/meta')).status).toBe(200);
  expect((await open.send('GET', '/sessions')).status).toBe(401);
});

test('row 3: two agents with one name are rejected at the start', () => {
  expect(() => createAapServer([idle, idle])).toThrow(expect.objectContaining({ code: 'invalid-agent' }));
});

test('row 4: the version of an agent is a semantic one', () => {
  for (const version of ['1', '1.0', 'v1.0.0', '']) {
    const agent = { ...idle, info: { ...everything, version } };
    expect(() => createAapServer([agent])).toThrow(expect.objectContaining({ code: 'invalid-agent' }));
  }
  expect(createAapServer([{ ...idle, info: { ...everything, version: '1.0.0-rc.1+b2' } }])).toBeDefined();
});

test('row 5: an unlisted tool may run without permission, but not ask', async () => {
  const { create, turn } = stage(async (run) => {
    await run.toolCall({ toolCallId: 'c1', name: 'unlisted', input: {} });
    await run.toolResult({ toolCallId: 'c1', content: 'ran' });
    const asked = await run.permission({ toolCallId: 'c2', name: 'unlisted', input: {} });
    await run.text(JSON.stringify(asked));
  });
  const events = await turn(await create(), says('go'));
  expect(events.filter(({ event }) => event === 'tool_result').map(({ data }) => data['content'])).toEqual([
    'ran',
    'Tool call denied: the tool is not enabled',
  ]);
  expect(events.at(-2)?.data['delta']).toBe('{"granted":false,"by":"disabled"}');
});

test('row 6: undeclared capabilities are absent, and without modes only "none" exists', async () => {
  const { send } = stageOf([{ ...idle, info: { name: 'tester', version: '1.0.0' } }]);
  const created = await send('POST', '/sessions', { agent: { name: 'tester' } });
  const { sessionId } = await json(created);
  const turns = `/sessions/${String(sessionId)}/turns`;

  expect((await send('POST', turns, { ...says('hi'), stream: 'delta' })).status).toBe(400);
  expect((await send('POST', turns, { ...says('hi'), stream: 'none' })).status).toBe(200);
  expect((await send('POST', turns, says('hi'))).status).toBe(200);
  expect((await send('GET', `/sessions/${String(sessionId)}/history?type=full`)).status).toBe(404);
});

test('row 7: the default of a select is one of its values, and names are unique', () => {
  const select = { type: 'select', name: 'model', options: ['a'], default: 'b' } as const;
  for (const options of [
    [select],
    [
      { ...select, default: 'a' },
      { ...select, default: 'a' },
    ],
  ]) {
    const agent = { ...idle, info: { ...everything, options } };
    expect(() => createAapServer([agent])).toThrow(expect.objectContaining({ code: 'invalid-agent' }));
  }
});

test.each([
  ['an option without a default', { options: [{ type: 'text', name: 'o' }] }],
  ['an option of an unknown type', { options: [{ type: 'number', name: 'o', default: '' }] }],
  ['a tool without a description', { tools: [{ name: 't', parameters: {} }] }],
  ['a capability that is no object', { capabilities: { stream: { delta: true } } }],
] as const)('row 7: %s is rejected at the start', (_name, fields) => {
  const info: AgentInfo = Object.assign({}, everything, fields);
  expect(() => createAapServer([{ ...idle, info }])).toThrow(
    expect.objectContaining({ code: 'invalid-agent' }),
  );
});

test('row 8: each response has the version', async () => {
  const { send } = stageOf([idle]);
  expect((await send('GET', '/meta')).headers.get('aap-version')).toBe('3');
  expect((await send('GET', '/nothing')).headers.get('aap-version')).toBe('3');
});
