import { createServer, request, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { ConfiguredRule } from '@parley/workspace/rule';
import { expect, onTestFinished, test } from 'vitest';
import {
  answerList,
  openAgentNetwork,
  type AgentNetwork,
  type ApprovalLevel,
  type EventStore,
  type Interact,
  type NetworkLimits,
  type OpenSessionOptions,
  type SignedAnswer,
} from '../src/index.ts';
import { codes, folder, only, open, script, type FixtureOptions, type Scripted } from './harness.ts';

/** A server outside of the sandbox. */
async function openServer(): Promise<number> {
  const server = createServer((_request, response) => response.end('reached'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** What a program in the sandbox does: a request to the proxy. */
async function get({ socketPath }: AgentNetwork, port: number): Promise<string> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const path = `http://127.0.0.1:${String(port)}/`;
    request({ socketPath, path, agent: false }, resolve).on('error', reject).end();
  });
  return `${String(answer.statusCode)} ${await text(answer)}`;
}

interface Held extends Scripted {
  readonly network: AgentNetwork;
  /** Runs a turn around something. */
  inTurn<T>(act: () => Promise<T>): Promise<T>;
}

async function start(
  hosts: readonly string[],
  {
    level = 'reads',
    rules = [],
    limits,
    ...options
  }: FixtureOptions & {
    readonly limits?: NetworkLimits;
    readonly session?: Partial<OpenSessionOptions>;
    readonly level?: ApprovalLevel;
    readonly rules?: readonly ConfiguredRule[];
  } = {},
): Promise<Held> {
  const network = await openAgentNetwork(hosts, limits);
  const policy = { approve: { level, given: true }, rules };
  const scripted = await script({ name: 'mine', network, policy, ...options });
  const inTurn: Held['inTurn'] = async (act) => {
    const turn = scripted.play({ waitForCancel: true });
    const result = await act();
    await scripted.session.cancel();
    await turn;
    return result;
  };
  return { ...scripted, network, inTurn };
}

/** A user who gives these answers in order, and what they were asked. */
function user(...given: readonly SignedAnswer[]): { asked: string[]; interact: Interact } {
  const asked: string[] = [];
  const permission: Interact['permission'] = ({ toolCall }, { action, remember }) => {
    asked.push(`${toolCall.title ?? ''} ${String(action.address)} ${String(remember?.scopes.join())}`);
    return Promise.resolve(given[asked.length - 1] ?? { kind: 'cancel' });
  };
  return { asked, interact: { permission } };
}

const allowOnce = { kind: 'option', optionId: 'allow' } as const;
const remember = (scope: 'session' | 'project', decision: 'allow' | 'deny' = 'allow') =>
  ({ kind: 'remember', scope, decision }) as const;

test("a host of the sandbox's list is reached without a question, and its use is an event at the end of the turn", async () => {
  const port = await openServer();
  const { network, inTurn, events } = await start([`127.0.0.1:${port}`], { level: 'none' });
  await inTurn(async () => {
    expect(await get(network, port)).toBe('200 reached');
    expect(await get(network, port)).toBe('200 reached');
  });
  expect(only(events, 'permission')).toEqual([]);
  const [use, ...others] = only(events, 'network');
  expect(use).toMatchObject({
    sessionId: 'session-1',
    hosts: [{ host: '127.0.0.1', port, connections: 2, blocked: 0 }],
    moreHosts: 0,
  });
  expect(use?.hosts[0]?.receivedBytes).toBeGreaterThan('reached'.length);
  expect(others).toEqual([]);
  const types = events.map(({ type }) => type);
  expect(types.indexOf('network')).toBeLessThan(types.indexOf('turn-end'));
});

test('without a user, a new host is blocked, with one event for all its connections of the turn', async () => {
  const port = await openServer();
  // No level opens the network: the sandbox holds regardless of what need not be asked.
  const { network, inTurn, events } = await start(['example.com'], { level: 'all' });
  const answers = await inTurn(() => Promise.all([get(network, port), get(network, port)]));
  const later = await inTurn(() => get(network, port));
  for (const answer of [...answers, later]) {
    expect(answer).toMatch(/^403 /u);
    expect(answer).toContain(`the sandbox does not allow 127.0.0.1:${port}; no user to ask`);
  }
  expect(only(events, 'permission')).toMatchObject([
    {
      by: 'nobody',
      decision: 'reject',
      reason: `the sandbox does not allow 127.0.0.1:${port}; no user to ask`,
    },
    { by: 'nobody' },
  ]);
  expect(only(events, 'permission-request')[0]).toMatchObject({
    toolCall: { title: `Connect to 127.0.0.1:${port}`, kind: 'fetch', rawInput: { host: '127.0.0.1', port } },
    action: { address: `https://127.0.0.1:${port}/`, blockedHost: `127.0.0.1:${port}` },
  });
  expect(only(events, 'network').map(({ hosts }) => hosts[0]?.blocked)).toEqual([2, 1]);
});

test('a user is asked once for connections that wait, and "allow once" covers only those', async () => {
  const port = await openServer();
  let answer: (given: SignedAnswer) => void = () => undefined;
  const asked: string[] = [];
  const permission: Interact['permission'] = ({ toolCall }) => {
    asked.push(toolCall.title ?? '');
    return new Promise((resolve) => (answer = resolve));
  };
  const { network, inTurn, events } = await start([], { interact: { permission } });
  await inTurn(async () => {
    // Two requests in one write: both wait when the first is asked.
    const line = `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\n`;
    const client = connect(network.socketPath);
    client.write(`${line}\r\n${line}Connection: close\r\n\r\n`);
    await expect.poll(() => asked).toHaveLength(1);
    answer(allowOnce);
    expect((await text(client)).match(/reached/gu)).toHaveLength(2);

    const next = get(network, port);
    await expect.poll(() => asked).toHaveLength(2);
    answer({ kind: 'option', optionId: 'reject' });
    expect(await next).toMatch(/^403 /u);
    // What was rejected is not asked again in this turn.
    expect(await get(network, port)).toMatch(/^403 /u);
  });
  expect(asked).toEqual([`Connect to 127.0.0.1:${port}`, `Connect to 127.0.0.1:${port}`]);
  expect(only(events, 'permission').map(({ by }) => by)).toEqual(['person', 'person']);
});

test('an answer for the session or the project is remembered for this agent, host and port', async () => {
  const [port, other, third] = [await openServer(), await openServer(), await openServer()];
  const answersFile = join(await folder(), 'answers.json');
  const session = { cwd: await folder() };
  const { asked, interact } = user(remember('session'), remember('project'), remember('session', 'deny'));
  const first = await start([], { answersFile, interact, session });
  await first.inTurn(async () => {
    for (const each of [port, other]) expect(await get(first.network, each)).toBe('200 reached');
    expect(await get(first.network, third)).toMatch(/^403 /u);
    expect(await get(first.network, third)).toMatch(/^403 /u);
  });
  await first.inTurn(async () => {
    expect(await get(first.network, port)).toBe('200 reached');
    expect(await get(first.network, third)).toMatch(/^403 /u);
  });
  expect(asked).toEqual(
    [port, other, third].map(
      (each) => `Connect to 127.0.0.1:${each} https://127.0.0.1:${each}/ turn,session,project,user`,
    ),
  );
  expect(await answerList(answersFile).read()).toMatchObject([
    {
      scope: 'session',
      rule: { tool: 'fetch', host: `127.0.0.1:${port}`, agent: 'mine', decision: 'allow' },
    },
    { scope: 'project', rule: { host: `127.0.0.1:${other}` } },
    { scope: 'session', rule: { host: `127.0.0.1:${third}`, decision: 'deny' } },
  ]);
  await first.connection.end();

  // Another session in the folder, without a user.
  const second = await start([], { answersFile, session });
  await second.inTurn(async () => {
    expect(await get(second.network, other)).toBe('200 reached');
    expect(await get(second.network, other)).toBe('200 reached');
    expect(await get(second.network, port)).toMatch(/^403 /u);
  });
  expect(only(second.events, 'permission')).toMatchObject([
    { by: 'person', remembered: true, decision: 'allow' },
    { by: 'nobody', decision: 'reject' },
  ]);
});

test('a rule that names the host decides, a wider one does not allow, and a deny overrides the list', async () => {
  const [named, listed, other] = [await openServer(), await openServer(), await openServer()];
  const { network, inTurn, events } = await start([`127.0.0.1:${listed}`], {
    rules: [
      { tool: 'fetch', decision: 'allow' },
      { tool: '*', decision: 'allow' },
      { tool: 'fetch', host: `127.0.0.1:${named}`, decision: 'allow' },
      { tool: 'fetch', host: `127.0.0.1:${listed}`, decision: 'deny' },
    ],
  });
  await inTurn(async () => {
    expect(await get(network, named)).toBe('200 reached');
    for (const port of [listed, other]) expect(await get(network, port)).toMatch(/^403 /u);
    expect(await get(network, listed)).toContain('127.0.0.1');
  });
  expect(only(events, 'permission')).toMatchObject([
    { by: 'rule', decision: 'allow' },
    { by: 'rule', decision: 'reject' },
    { by: 'nobody', decision: 'reject' },
  ]);
});

test('a connection that waited too long is blocked, and a later "allow once" is for the next one', async () => {
  const port = await openServer();
  let answer: (given: SignedAnswer) => void = () => undefined;
  const permission: Interact['permission'] = () => new Promise((resolve) => (answer = resolve));
  const { network, inTurn, events } = await start([], { interact: { permission }, limits: { answerMs: 1 } });
  await inTurn(async () => {
    expect(await get(network, port)).toContain('its permission request is not answered yet');
    answer(allowOnce);
    await expect.poll(() => only(events, 'permission')).toHaveLength(1);
    expect(await get(network, port)).toBe('200 reached');
    expect(await get(network, port)).toMatch(/^403 /u);
  });
});

test('a request that cannot be stored blocks the connection', async () => {
  const port = await openServer();
  const store = { stored: () => undefined, onFailure: () => () => undefined };
  const failing = { ...store, stored: () => Promise.reject(new Error('the disk is full')) };
  let current: EventStore = store;
  const { network } = await start([], {
    ...user(allowOnce),
    store: { stored: () => current.stored(), onFailure: store.onFailure },
  });
  current = failing;
  const answer = await get(network, port);
  current = store;
  expect(answer).toMatch(/^403 /u);
  expect(answer).toContain('the disk is full');
});

test('cancelling the turn ends the wait for an answer', async () => {
  const port = await openServer();
  let wasAsked = (): void => undefined;
  const asked = new Promise<void>((resolve) => (wasAsked = resolve));
  const permission: Interact['permission'] = () => {
    wasAsked();
    return new Promise(() => undefined);
  };
  const { network, inTurn, events } = await start([], { interact: { permission } });
  const waiting = await inTurn(async () => {
    const answer = get(network, port);
    await asked;
    return [answer];
  });
  expect(await waiting[0]).toContain('the turn was cancelled');
  expect(only(events, 'permission')).toMatchObject([{ decision: 'cancelled' }]);
});

test('before a session is open, a new host is blocked with a diagnostic, and a host of the sandbox is reached', async () => {
  const [port, other] = [await openServer(), await openServer()];
  const network = await openAgentNetwork([`127.0.0.1:${port}`], { openingMs: 1 });
  const { events } = await open('scripted', { network });
  expect(await get(network, port)).toBe('200 reached');
  expect(await get(network, other)).toContain('no session is open yet');
  expect(codes(events)).toEqual(['host-blocked']);
});

test('the network closes with its agent', async () => {
  const port = await openServer();
  const { network, connection } = await start([`127.0.0.1:${port}`]);
  await connection.end();
  await expect(get(network, port)).rejects.toThrow('ENOENT');
});
