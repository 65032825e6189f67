import {
  agentsAfter,
  questionsAfter,
  type HubAgent,
  type HubChanges,
  type HubMachine,
  type HubQuestion,
} from '@parley/host/hub';
import { expect, test } from 'vitest';
import { ChangeFeed } from './hub-changes.ts';

function agent(name: string, signIn: HubAgent['signIn'] = 'unknown'): HubAgent {
  return { name, place: 'configured', signIn };
}

function question(requestId: string, since: number): HubQuestion {
  return { kind: 'sign-in', key: 'session', requestId, since, agent: 'a', methods: [] };
}

/** A hub, and what a client of it was sent. */
class StagedSource {
  agents: readonly HubAgent[] = [agent('a'), agent('b')];
  questions: readonly HubQuestion[] = [question('one', 1)];
  readonly marks = { pinned: [], archived: [] };
  machines: readonly HubMachine[] = [];
  readonly sent: HubChanges[] = [];
  readonly feed = new ChangeFeed(this, (changes) => {
    this.sent.push(changes);
    return Promise.resolve();
  });

  session(): undefined {}
}

const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('only changed agents are sent', async () => {
  const hub = new StagedSource();
  const before = hub.agents;
  hub.agents = [agent('a'), agent('b', 'needed')];
  hub.feed.agents();
  await soon();
  expect(hub.sent).toEqual([{ agents: [agent('b', 'needed')] }]);
  expect(agentsAfter(before, hub.sent[0] ?? {})).toEqual(hub.agents);

  hub.feed.agents();
  await soon();
  expect(hub.sent).toHaveLength(1);
});

test('a question is sent once and withdrawn by its id', async () => {
  const hub = new StagedSource();
  const before = hub.questions;
  hub.questions = [question('one', 1), question('two', 2)];
  hub.feed.questions();
  await soon();
  hub.questions = [question('two', 2)];
  hub.feed.questions();
  await soon();

  expect(hub.sent).toEqual([{ questions: [question('two', 2)] }, { withdrawn: ['one'] }]);
  expect(hub.sent.reduce(questionsAfter, before)).toEqual(hub.questions);
});

test('the machines are sent as a whole, and only when one has changed', async () => {
  const hub = new StagedSource();
  hub.feed.machines();
  await soon();
  expect(hub.sent).toEqual([]);
  hub.machines = [{ name: 'north', isThis: true, workspaces: ['app'], since: 1 }];

  hub.feed.machines();
  await soon();
  hub.feed.machines();
  await soon();

  expect(hub.sent).toEqual([{ machines: hub.machines }]);
});
