import { filesStore, SharedEventLogs, type SandboxWish } from '@parley/host';
import { hubMethods } from '@parley/host/hub';
import { expect, test } from 'vitest';
import { openHub } from './hub-stage.ts';

test('a session starts with the sandbox that its user chose, also in the hub that takes it over, and so does its fork', async () => {
  const choices: SandboxWish['choice'][] = [];
  const agent = {
    capabilities: { sessionCapabilities: { resume: {}, fork: {} } },
    turn: ({ say }: { readonly say: (text: string) => void }) => say('done'),
  };
  // The scripted agent is no process that could be held.
  const sandboxFor = ({ choice }: SandboxWish): Promise<undefined> => {
    choices.push(choice);
    return Promise.resolve(undefined);
  };
  const first = await openHub({ agent, sandboxFor });
  const ada = await first.join();
  const key = await ada.start({ 'parley/sandbox': 'read-only' });
  await ada.prompt(key, 'begin');
  await first.hub.close();
  expect(choices).toEqual(['read-only']);

  const second = await openHub({
    agent,
    sandboxFor,
    workspaces: [first.workspace],
    eventLogs: new SharedEventLogs({ store: filesStore(first.eventLogs), program: 'test 2' }),
  });
  const bob = await second.join('bob');
  await bob.resume(key);
  await bob.prompt(key, 'go on');
  const { sessionId: fork } = (await bob.ask(hubMethods.fork, { sessionId: key })) as { sessionId: string };
  await bob.watch(fork);
  await bob.prompt(fork, 'two');
  expect(choices.length).toBeGreaterThan(2);
  expect(new Set(choices)).toEqual(new Set(['read-only']));
});
