import { filesStore, SharedEventLogs } from '@parley/host';
import { hubMethods } from '@parley/host/hub';
import { expect, test } from 'vitest';
import { folder, type ScriptedAgentOptions } from '../scripted-agent.ts';
import { openHub, type HubStage, type StagedClient } from './hub-stage.ts';

const sessionCapabilities = { resume: {}, close: {}, title: {}, archive: {} };

/** An agent that has the methods, as `unstable` says. */
function agentWith(unstable: ScriptedAgentOptions['unstable'] = {}): ScriptedAgentOptions {
  return {
    capabilities: { sessionCapabilities },
    unstable: {
      'session/set_title': (params) => ({ title: 'title' in params ? params.title : '' }),
      'session/archive': () => ({}),
      'session/unarchive': () => ({}),
      ...unstable,
    },
    turn: ({ say }) => say('done'),
  };
}

const sentIn = ({ requests }: HubStage, method: string): readonly string[] =>
  requests.filter((request) => request.startsWith(`${method} `));

const titleIn = (client: StagedClient, key: string): string | undefined => client.sessions.get(key)?.title;

const diagnosticsOf = ({ events }: HubStage): readonly unknown[] =>
  events.filter((event) => event.type === 'diagnostic' && event.code === 'not-marked');

test('a title that a user gives reaches the running agent, and is shown as the agent stored it', async () => {
  const stage = await openHub({
    agent: agentWith({ 'session/set_title': () => ({ title: ' As stored ' }) }),
  });
  const ada = await stage.join();
  const key = await ada.start();
  await ada.ask(hubMethods.rename, { sessionId: key, title: 'As typed' });
  await ada.until(() => titleIn(ada, key) === 'As stored');
  expect(sentIn(stage, 'session/set_title')).toEqual([
    'session/set_title {"sessionId":"session-1","title":"As typed"}',
  ]);
  // Without a title of the user's the agent keeps its own.
  await ada.ask(hubMethods.rename, { sessionId: key });
  await ada.until(() => titleIn(ada, key) === undefined);
  expect(sentIn(stage, 'session/set_title')).toHaveLength(1);
});

test('a title given while no agent runs reaches it at its next start, once, also after a restart of the hub', async () => {
  const workspace = await folder();
  const options = { workspaces: [workspace], agent: agentWith() } as const;
  const first = await openHub(options);
  const ada = await first.join();
  const key = await ada.start();
  await ada.prompt(key, 'hello');
  await ada.ask('session/close', { sessionId: key });
  await ada.ask(hubMethods.rename, { sessionId: key, title: 'Later' });
  expect(sentIn(first, 'session/set_title')).toEqual([]);
  const { eventLogs } = first;
  await first.hub.close();

  const second = await openHub({
    ...options,
    eventLogs: new SharedEventLogs({ store: filesStore(eventLogs), program: 'test 2' }),
  });
  const eve = await second.join();
  await eve.resume(key);
  await eve.prompt(key, 'again');
  expect(sentIn(second, 'session/set_title')).toHaveLength(1);
  expect(titleIn(eve, key)).toBe('Later');
  await eve.ask('session/close', { sessionId: key });
  await eve.prompt(key, 'and again');
  expect(sentIn(second, 'session/set_title')).toHaveLength(1);
});

test.each([
  [
    'refuses',
    (): never => {
      throw new Error('no');
    },
  ],
  ['answers with something else', () => ({ title: 5 })],
])(
  'an agent that %s: the title stays in Parley, a diagnostic says so, and it is not sent again',
  async (_name, run) => {
    const stage = await openHub({ agent: agentWith({ 'session/set_title': run }) });
    const ada = await stage.join();
    const key = await ada.start();
    await ada.ask(hubMethods.rename, { sessionId: key, title: 'Mine' });
    await ada.prompt(key, 'hello');
    expect(diagnosticsOf(stage)).toHaveLength(1);
    expect(titleIn(ada, key)).toBe('Mine');
    await ada.ask('session/close', { sessionId: key });
    await ada.prompt(key, 'again');
    expect(sentIn(stage, 'session/set_title')).toHaveLength(1);
  },
);

test('an agent that does not declare the methods is sent none of them', async () => {
  const agent = { ...agentWith(), capabilities: { sessionCapabilities: { resume: {}, close: {} } } };
  const stage = await openHub({ agent });
  const ada = await stage.join();
  const key = await ada.start();
  await ada.ask(hubMethods.rename, { sessionId: key, title: 'Mine' });
  await ada.ask(hubMethods.mark, { sessionIds: [key], mark: 'archived' });
  await ada.until(() => ada.marks?.archived.length === 1);
  await ada.prompt(key, 'hello');
  expect(stage.requests.filter((request) => /title|archive/u.test(request))).toEqual([]);
  expect(diagnosticsOf(stage)).toEqual([]);
});

test('archiving reaches the agent of an idle session and ends it; reopening unarchives it first', async () => {
  const stage = await openHub({ agent: agentWith() });
  const ada = await stage.join();
  const key = await ada.start();
  await ada.prompt(key, 'hello');
  await ada.ask(hubMethods.mark, { sessionIds: [key], mark: 'archived' });
  await ada.until(() => ada.sessions.get(key)?.state === 'kept');
  expect(sentIn(stage, 'session/archive')).toEqual(['session/archive {"sessionId":"session-1"}']);
  await ada.ask(hubMethods.mark, { sessionIds: [key] });
  await ada.prompt(key, 'again');
  const order = stage.requests.filter((request) => /archive|resume/u.test(request));
  expect(order).toEqual([
    'session/archive {"sessionId":"session-1"}',
    'session/unarchive {"sessionId":"session-1"}',
    'session/resume',
  ]);
});

test("an agent that rejects archiving keeps running; the user's mark stays", async () => {
  const refuse = (): never => {
    throw new Error('no');
  };
  const stage = await openHub({ agent: agentWith({ 'session/archive': refuse }) });
  const ada = await stage.join();
  const key = await ada.start();
  await ada.ask(hubMethods.mark, { sessionIds: [key], mark: 'archived' });
  await ada.until(() => ada.marks?.archived.length === 1);
  await ada.prompt(key, 'hello');
  expect(diagnosticsOf(stage)).toHaveLength(1);
  expect(stage.requests.filter((request) => /unarchive|resume/u.test(request))).toEqual([]);
});

test('a user who may only read a session archives it for themselves alone', async () => {
  const stage = await openHub({ agent: agentWith() });
  const ada = await stage.join();
  const key = await ada.start();
  const observer = await stage.join('olive', 'observe');
  await observer.ask(hubMethods.mark, { sessionIds: [key], mark: 'archived' });
  await observer.until(() => observer.marks?.archived.length === 1);
  await ada.prompt(key, 'hello');
  expect(sentIn(stage, 'session/archive')).toEqual([]);
});

test('a session that another program has open is continued, and its clients see a warning at each start', async () => {
  let status = 'saved';
  const capabilities = { sessionCapabilities: { resume: {}, close: {}, status: {} } };
  const stage = await openHub({
    agent: {
      capabilities,
      unstable: { 'session/status': () => ({ status }) },
      turn: ({ say }) => say('done'),
    },
  });
  const ada = await stage.join();
  const key = await ada.start();
  const warnings = () => ada.events(key).filter((event) => JSON.stringify(event).includes('open-elsewhere'));
  await ada.prompt(key, 'one');
  expect(sentIn(stage, 'session/status')).toEqual([]);
  await ada.ask('session/close', { sessionId: key });
  await ada.prompt(key, 'two');
  expect(warnings()).toEqual([]);
  await ada.ask('session/close', { sessionId: key });
  status = 'open';
  await ada.prompt(key, 'three');
  await ada.prompt(key, 'four');
  await ada.until(() => ada.said(key) === 'donedonedonedone');
  expect(warnings()).toMatchObject([{ type: 'diagnostic', level: 'warning', code: 'open-elsewhere' }]);
  const asked = 'session/status {"sessionId":"session-1"}';
  expect(sentIn(stage, 'session/status')).toEqual([asked, asked]);
});
