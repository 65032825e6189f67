import { expect, test } from 'vitest';
import { Hub } from '../../src/hub/create-hub.ts';
import type { ScriptedAgentOptions } from '../scripted-agent.ts';
import { openHub } from './hub-stage.ts';

const account = { label: 'Claude Max', active: true, email: 'ada@example.com' };
const provider = {
  providerId: 'main',
  supported: ['anthropic'],
  required: true,
  current: { apiType: 'anthropic', baseUrl: 'https://api.anthropic.com' },
};

const reporting = {
  capabilities: { auth: { status: {} }, providers: {} },
  authMethods: [{ id: 'login', name: 'Log in' }],
} as ScriptedAgentOptions;

test('a probe shows the sign-in state, the accounts and the providers that an agent reports, the latter to admin only', async () => {
  const stage = await openHub({
    agent: {
      ...reporting,
      unstable: {
        'auth/status': () => ({ state: 'authenticated', accounts: [account, { email: 'no label' }] }),
        'providers/list': () => ({ providers: [provider] }),
      },
    },
  });
  const ada = await stage.join();
  const olive = await stage.join('olive', 'observe');
  await Hub.sessionsOf(stage.hub).agents.probe('scripted');
  await ada.until(() => ada.agents[0]?.card !== undefined);
  expect(ada.agents[0]).toMatchObject({
    signIn: 'signed-in',
    accounts: [account],
    card: { providers: [provider] },
  });
  await olive.until(() => olive.agents[0]?.card !== undefined);
  expect(olive.agents[0]?.signIn).toBe('signed-in');
  expect(JSON.stringify(olive.agents)).not.toMatch(/example\.com|anthropic/u);
});

test.each([
  [
    'refuses',
    (): never => {
      throw new Error('no');
    },
  ],
  ['answers with something else', () => ({ state: 5, providers: 'many' })],
  ['reports a newer state', () => ({ state: '_mine' })],
])('an agent that declares the methods and %s: nothing is claimed', async (_name, run) => {
  const agent = { ...reporting, unstable: { 'auth/status': run, 'providers/list': run } };
  const stage = await openHub({ agent });
  const card = await Hub.sessionsOf(stage.hub).agents.probe('scripted');
  expect(card?.failure).toBeUndefined();
  expect(card?.providers).toBeUndefined();
  expect(Hub.sessionsOf(stage.hub).agents.all).toMatchObject([{ signIn: 'unknown' }]);
  expect(Hub.sessionsOf(stage.hub).agents.all[0]?.accounts).toBeUndefined();
});

test('an agent that does not declare the methods is not asked', async () => {
  const stage = await openHub({
    agent: {
      unstable: { 'auth/status': () => ({ state: 'unauthenticated' }), 'providers/list': () => ({}) },
    },
  });
  await Hub.sessionsOf(stage.hub).agents.probe('scripted');
  expect(stage.requests.filter((request) => /auth|providers/u.test(request))).toEqual([]);
});

test('the sign-in reports of claude-agent-acp and codex-acp are understood', async () => {
  // As recorded from claude-agent-acp 0.101.0, but with an account; `none` is a signed-out user.
  const label = 'Claude Max';
  const reports = [
    { kind: 'account', label, detail: 'a@b.example', account: { email: 'a@b.example', plan: 'max' } },
    { kind: 'none', label: 'Not signed in' },
    { label },
  ];
  const stage = await openHub({
    agent: {
      ...reporting,
      turn: async ({ client }) => {
        await client.notifyExtension('_auth/status_update', { authStatus: reports.shift() });
        return { stopReason: 'cancelled' };
      },
    },
  });
  const ada = await stage.join();
  const key = await ada.start();
  await ada.prompt(key, 'one');
  await ada.until(() => ada.agents[0]?.signIn === 'signed-in');
  expect(ada.agents[0]?.accounts).toEqual([{ label, email: 'a@b.example' }]);
  await ada.prompt(key, 'two');
  await ada.until(() => ada.agents[0]?.signIn === 'needed');
  await ada.prompt(key, 'three');
  const codes = stage.events.flatMap((event) => (event.type === 'diagnostic' ? [event.code] : []));
  expect(codes).toEqual(['ignored-notification']);
});

test.each(['auth/status_update', '_auth/status_update'])(
  '%s during a session changes what is shown of the agent; an invalid one is ignored',
  async (method) => {
    const states = ['authenticated', 'unauthenticated', 5];
    const stage = await openHub({
      agent: {
        ...reporting,
        turn: async ({ client }) => {
          await client.notifyExtension(method, { state: states.shift(), accounts: [account] });
          return { stopReason: 'cancelled' };
        },
      },
    });
    const ada = await stage.join();
    const key = await ada.start();
    await ada.prompt(key, 'one');
    await ada.until(() => ada.agents[0]?.signIn === 'signed-in');
    expect(ada.agents[0]?.accounts).toEqual([account]);
    await ada.prompt(key, 'two');
    await ada.until(() => ada.agents[0]?.signIn === 'needed');
    await ada.prompt(key, 'three');
    expect(ada.agents[0]?.signIn).toBe('needed');
    const codes = stage.events.flatMap((event) => (event.type === 'diagnostic' ? [event.code] : []));
    expect(codes).toEqual(['ignored-notification']);
  },
);
