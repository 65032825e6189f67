import { subagentAgent } from '@parley/conformance';
import { proxyAgent } from '@parley/host';
import { connect, memoryPair, type Transport } from '@parley/wire';
import { expect, onTestFinished, test } from 'vitest';
import { Hub } from '../../src/hub/create-hub.ts';
import { createGate, openHub } from '../hub/hub-stage.ts';
import { PlainClient, toFields } from './plain-client.ts';

const soon = { timeout: 120_000 };

interface ProxiedEditor {
  readonly said: string[];
  ask(method: string, params: object): Promise<unknown>;
  /** Breaks the connection to the hub, and lets it be made again when the promise settles. */
  cut(until: Promise<void>): Promise<void>;
}

/** An editor behind a proxy of the hub. */
async function openEditor(
  hub: Awaited<ReturnType<typeof openHub>>['hub'],
  clientCapabilities: object = {},
): Promise<ProxiedEditor> {
  const said: string[] = [];
  const [near, far] = memoryPair();
  let until = Promise.resolve();
  let lose = (): Promise<void> => Promise.resolve();
  const proxy = proxyAgent({
    client: far,
    isHub: true,
    open: async (): Promise<Transport> => {
      await until;
      const [client, server] = memoryPair();
      lose = () => server.close({ code: 'failed', message: 'cut' });
      void hub.connect(server, { principal: { id: 'token:ada', name: 'ada', scope: 'admin' } });
      return client;
    },
    restart: { attempts: 5, delayMs: 1 },
    report: () => {},
  });
  const connection = connect(near, {
    onNotification: (method, params) => {
      const { sessionUpdate, content } = toFields(toFields(params)['update']);
      if (method !== 'session/update' || typeof sessionUpdate !== 'string') return;
      const { text } = toFields(content);
      if (typeof text === 'string') said.push(`${sessionUpdate.split('_')[0] ?? ''}: ${text}`);
    },
  });
  onTestFinished(async () => {
    await connection.close();
    await proxy.end();
  });
  await connection.request('initialize', { protocolVersion: 1, clientCapabilities });
  return {
    said,
    ask: (method, params) => connection.request(method, params),
    cut: async (wait) => {
      until = wait;
      await lose();
    },
  };
}

test('after a lost connection a proxied editor receives missed events once and in order', async () => {
  const stage = await openHub({ agent: { turn: ({ say, text }) => say(`${text}!`) } });
  const ada = await PlainClient.join(stage.hub);
  const sessionId = await ada.begin(stage.workspace);
  await ada.prompt(sessionId, 'one');
  const editor = await openEditor(stage.hub);
  await editor.ask('session/load', { sessionId, cwd: stage.workspace, mcpServers: [] });
  for (const text of ['two', 'three', 'four']) {
    const back = createGate();
    await editor.cut(back.passed);
    await ada.prompt(sessionId, text, {
      prompt: [
        { type: 'text', text },
        { type: 'text', text: '?' },
      ],
    });
    back.open();
  }
  await ada.prompt(sessionId, 'five');

  await expect.poll(() => editor.said.at(-1), soon).toBe('agent: five!');
  expect(editor.said).toEqual([
    'user: one',
    'agent: one!',
    ...['two', 'three', 'four'].flatMap((text) => [`user: ${text}`, 'user: ?', 'agent: ?!']),
    'user: five',
    'agent: five!',
  ]);
});

test('after a connection is lost during its turn, a proxied editor receives the rest of the turn, and not its own prompt', async () => {
  const goOn = createGate();
  const stage = await openHub({
    agent: {
      turn: async ({ say }) => {
        await say('first');
        await goOn.passed;
        await say('last');
      },
    },
  });
  const editor = await openEditor(stage.hub);
  const begun = await editor.ask('session/new', { cwd: stage.workspace, mcpServers: [] });
  const { sessionId } = toFields(begun);
  const turn = editor.ask('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'mine' }] });
  await expect.poll(() => editor.said, soon).toEqual(['agent: first']);
  const back = createGate();
  await Promise.all([
    expect(turn).rejects.toMatchObject({
      message: expect.stringContaining('outcome of this request is unknown'),
    }),
    editor.cut(back.passed),
  ]);
  goOn.open();
  await expect.poll(() => Hub.sessionsOf(stage.hub).session(String(sessionId))?.state, soon).toBe('ready');
  back.open();

  await expect.poll(() => editor.said, soon).toEqual(['agent: first', 'agent: last']);
});

test('after a lost connection a proxied editor receives nothing of a sub-agent twice', async () => {
  const [command, ...args] = subagentAgent('paced');
  const spec = { name: 'scripted', reach: { by: 'command', command, args } } as const;
  const stage = await openHub({ agents: [{ name: 'scripted', place: 'configured', spec }] });
  const editor = await openEditor(stage.hub, { subagents: {} });
  const { sessionId } = toFields(await editor.ask('session/new', { cwd: stage.workspace, mcpServers: [] }));
  const ask = (text: string): Promise<unknown> =>
    editor.ask('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
  await ask('one');
  for (const text of ['two', 'three']) {
    await editor.cut(Promise.resolve());
    // The announcements behind the first resume belong to no new event.
    await editor.ask('session/list', {});
    await editor.cut(Promise.resolve());
    await ask(text);
  }

  await expect.poll(() => editor.said.at(-1), soon).toBe('agent: kid three');
  expect(editor.said).toEqual(
    ['one', 'two', 'three'].flatMap((text) => [`agent: ${text}`, `agent: kid ${text}`]),
  );
});

test('event numbers are sent only to clients that ask for them', async () => {
  const stage = await openHub({ agent: { turn: ({ say }) => say('hello') } });
  const ada = await PlainClient.join(stage.hub);
  const eve = await PlainClient.join(stage.hub, { capabilities: { _meta: { 'parley/eventNumber': true } } });
  const sessionId = await ada.begin(stage.workspace);
  await eve.load(sessionId, stage.workspace);
  await ada.prompt(sessionId, 'one');
  await expect.poll(() => eve.said, soon).toEqual(['user: one', 'agent: hello']);

  expect(JSON.stringify(ada.updates)).not.toContain('parley/eventNumber');
  const numbers = eve.updates.map(({ _meta }) => Number(toFields(_meta)['parley/eventNumber']));
  expect(numbers).toEqual(numbers.toSorted((left, right) => left - right));
  expect(new Set(numbers).size).toBe(2);
});
