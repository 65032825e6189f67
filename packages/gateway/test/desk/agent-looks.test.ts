import { acpCodes } from '@parley/acp';
import type { AgentCard } from '@parley/host/desk';
import { RpcError } from '@parley/wire';
import { expect, test } from 'vitest';
import { agentsRoute } from '../../src/desk/agents-route.ts';
import { openDesk, type DeskStage } from './desk-stage.ts';

test('a look at an agent shows what it offers, and leaves nothing running', async () => {
  const modes = { currentModeId: 'ask', availableModes: [{ id: 'ask', name: 'Ask' }] };
  const stage = await openDesk({
    agent: { capabilities: { loadSession: true, sessionCapabilities: { delete: {} } }, offers: { modes } },
  });
  const ada = await stage.join();

  const card = await probe(stage, 'scripted');

  expect(card).toMatchObject({
    info: { name: 'scripted', version: '1.2.3' },
    protocolVersion: 1,
    capabilities: { loadSession: true },
    signInMethods: [],
    modes,
    log: '',
  });
  expect(card).not.toHaveProperty('failure');
  expect(stage.requests).toContain('session/delete');
  expect(stage.requests).not.toContain('session/prompt');
  expect(stage.desk.table.agents).toMatchObject([{ name: 'scripted', signIn: 'not-needed', card }]);
  expect(ada.sessions.size).toBe(0);
  expect(stage.faults).toEqual([]);
});

test('an agent that wants somebody to sign in is not signed in to', async () => {
  const stage = await openDesk({
    agent: {
      authMethods: [{ id: 'web', name: 'In a browser' }],
      onRequest: (method) => {
        if (method === 'session/new') throw new RpcError(acpCodes.authRequired, 'sign in first');
      },
    },
  });
  const card = await probe(stage, 'scripted');
  expect(card).toMatchObject({ signInMethods: [{ kind: 'agent', id: 'web' }] });
  expect(card).not.toHaveProperty('failure');
  expect(stage.desk.table.agents).toMatchObject([{ signIn: 'needed' }]);
  expect(stage.requests).not.toContain('authenticate');
});

test('the card of an agent that does not start says why, without its secrets', async () => {
  const stage = await openDesk({
    agents: [
      {
        name: 'broken',
        place: 'configured',
        access: {
          by: 'process',
          command: process.execPath,
          args: ['-e', 'console.error("the key is " + process.env.MY_KEY); process.exit(3)'],
          env: { MY_KEY: 'hush-hush-1234' },
        },
      },
    ],
  });
  const card = await probe(stage, 'broken');
  expect(card.failure).toMatch(/./u);
  expect(card.log).toContain('the key is ***');
  expect(JSON.stringify(card)).not.toContain('hush-hush');
});

test('those who ask meanwhile are told the same, and only so many agents are looked at at once', async () => {
  let open = (): void => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  let starts = 0;
  const access = {
    by: 'transport',
    connect: async () => {
      starts += 1;
      await gate;
      throw new Error('not today');
    },
  } as const;
  const stage = await openDesk({
    agents: ['one', 'two'].map((name) => ({ name, place: 'configured', access }) as const),
    limits: { looks: 1 },
  });
  const first = probe(stage, 'one');
  const second = probe(stage, 'one');
  const refused = await ask(stage, '/api/agents/two/probe');
  expect(refused.status).toBe(503);
  open();
  expect(await first).toEqual(await second);
  expect(starts).toBe(1);
});

test.each([
  ['/api/agents/nobody/probe', 'POST', 404],
  ['/api/agents/scripted', 'POST', 404],
  ['/api/agents/%E0%A4%A/probe', 'POST', 404],
  ['/api/agents/scripted/probe', 'GET', 405],
  ['/api/agents/away/probe', 'POST', 409],
])('%s by %s is refused with a reason', async (path, method, status) => {
  const stage = await openDesk();
  const { agents } = stage.desk.table.options;
  const desk = await openDesk({ agents: [...agents, { name: 'away', place: 'available' }] });
  const response = await ask(desk, path, method);
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ error: expect.any(String), requestId: 'r' });
});

async function probe(stage: DeskStage, name: string): Promise<AgentCard> {
  const response = await ask(stage, `/api/agents/${name}/probe`);
  expect(response.status).toBe(200);
  return (await response.json()) as AgentCard;
}

async function ask(stage: DeskStage, path: string, method = 'POST'): Promise<Response> {
  const { answer } = agentsRoute(stage.desk.table);
  return answer(new Request(`http://localhost${path}`, { method }), { requestId: 'r' });
}
