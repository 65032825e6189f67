import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { filesStore, SharedEventLogs } from '@parley/host';
import { hubMethods } from '@parley/host/hub';
import { expect, test } from 'vitest';
import { Hub } from '../../src/hub/create-hub.ts';
import { scriptedAgent } from '../scripted-agent.ts';
import { openHub, type StagedClient } from './hub-stage.ts';

const methodsOf = (client: StagedClient): readonly unknown[] =>
  client.frames.flatMap(({ message }) =>
    typeof message === 'object' && message !== null && 'method' in message ? [message.method] : [],
  );

test('frames are sent as they arrive, stored, and contain no known secret', async () => {
  const { spec } = scriptedAgent({
    capabilities: { sessionCapabilities: { resume: {} } },
    turn: ({ say }) => say('the password is swordfish'),
  });
  const agents = [
    { name: 'scripted', place: 'configured', spec: { ...spec, secrets: ['swordfish'] } },
  ] as const;
  const first = await openHub({ agents });
  const ada = await first.join();
  const key = await ada.start();
  await ada.ask(hubMethods.watchFrames, { sessionId: key });
  await ada.prompt(key, 'go');
  await ada.until(() => methodsOf(ada).includes('session/update'));
  expect(methodsOf(ada).slice(0, 4)).toEqual([
    'initialize',
    'session/new',
    'session/prompt',
    'session/update',
  ]);
  await ada.ask(hubMethods.unwatchFrames, { sessionId: key });
  await first.hub.close();

  const second = await openHub({
    agents,
    workspaces: [first.workspace],
    eventLogs: new SharedEventLogs({ store: filesStore(first.eventLogs), program: 'test' }),
  });
  const bob = await second.join('bob', 'observe');
  await bob.ask(hubMethods.watchFrames, { sessionId: key });
  await bob.until(() => methodsOf(bob).includes('session/update'));
  const eve = await second.join('eve');
  await eve.resume(key);
  await bob.until(() => methodsOf(bob).includes('session/resume'));
  expect(bob.frames.map(({ seq }) => seq)).toEqual(bob.frames.map((_frame, index) => index + 1));
  expect(JSON.stringify(bob.frames)).toContain('the password is ***');

  await second.hub.close();
  const file = await readFile(join(first.eventLogs, key, 'frames.jsonl'), 'utf8');
  expect(file).not.toContain('swordfish');
  expect(JSON.parse(file.slice(0, file.indexOf('\n')))).toMatchObject({ recording: 1, agent: 'scripted' });
});

test('beyond the limit the newest frames are stored', async () => {
  const stage = await openHub({
    limits: { frameBytes: 20_000 },
    agent: {
      turn: async ({ say }) => {
        for (let count = 0; count < 40; count += 1) await say('x'.repeat(500));
      },
    },
  });
  const ada = await stage.join();
  const key = await ada.start();
  for (let turn = 0; turn < 3; turn += 1) {
    await ada.prompt(key, 'go');
    await (await Hub.sessionsOf(stage.hub).framesOf(key)).flush();
  }
  await ada.ask(hubMethods.watchFrames, { sessionId: key });
  await ada.until(() => ada.frames.length > 1);

  const [first, second] = ada.frames;
  expect(first?.seq).toBeGreaterThan(40);
  expect(second?.seq).toBe((first?.seq ?? 0) + 1);
});
