import type { Replica, ReplicaMember, Replicas, TakenCommand } from '@parley/host';
import { filesStore, SharedEventLogs } from '@parley/host';
import { expect, test, vi } from 'vitest';
import { ownerMethods } from '../../src/acp/owner/owner-methods.ts';
import { folder } from '../scripted-agent.ts';
import { createGate, openHub } from './hub-stage.ts';

test('a session is not dropped while a command waits to use it: its prompt runs where it is seen', async () => {
  const workspace = await folder();
  const store = filesStore(await folder());
  const joined = createMember(workspace);
  const stage = await openHub({
    agent: { capabilities: { sessionCapabilities: { resume: {} } } },
    workspaces: [workspace],
    eventLogs: new SharedEventLogs({ store, program: 'test 1' }),
    replicas: { replicas: joined.replicas, workspaces: [{ folder: workspace }], slots: 10, taken: () => 0 },
  });
  await stage.hub.join();
  const client = await stage.join();
  const sessionId = await client.start();
  await client.ask('session/close', { sessionId });
  const member = joined.member();
  const released = [...joined.released];
  const perform = (body: object): Promise<unknown> => member.perform(toCommand(sessionId, body));

  // What a prompt does that another replica had begun: it reads whether it has had its turn.
  const [reading, mayRead] = [createGate(), createGate()];
  const read = store.read.bind(store);
  const reads = vi.spyOn(store, 'read').mockImplementationOnce(async (...given) => {
    reading.open();
    await mayRead.passed;
    return read(...given);
  });
  const prompt = perform({
    method: ownerMethods.prompt,
    params: { request: { sessionId, prompt: [{ type: 'text', text: 'hello' }] } },
    isRetaken: true,
  });
  await reading.passed;
  await perform({ method: '_parley/rename', params: { sessionId, title: 'Renamed' } });
  expect(joined.released).toEqual(released);
  mayRead.open();

  expect(await prompt).toMatchObject({ result: { response: { stopReason: 'end_turn' } } });
  expect(reads).toHaveBeenCalled();
  await client.prompt(sessionId, 'again');
  // One agent has both.
  expect(stage.requests.filter((method) => method === 'session/resume')).toHaveLength(1);
});

/** The only replica, which owns what it reserved. */
function createMember(workspace: string) {
  let member: ReplicaMember | undefined;
  const own: Replica = {
    id: 'one',
    name: 'one',
    isThis: true,
    workspaces: [{ folder: workspace }],
    slots: 10,
    taken: 0,
    since: 0,
  };
  const reserved = new Set<string>();
  const released: string[] = [];
  const replicas: Replicas = {
    all: [own],
    silent: [],
    counts: { leaseChanges: 0, commandsWaiting: 0 },
    join: async (given) => {
      member = given;
    },
    locate: async (key) => ({
      ...(reserved.has(key) && { owner: own }),
      folder: workspace,
      replicas: [own],
      folderName: workspace,
      isOrphaned: false,
    }),
    reserve: async (key) => {
      reserved.add(key);
      return true;
    },
    release: async (key) => {
      reserved.delete(key);
      released.push(key);
    },
    handTo: async () => false,
    send: async () => ({ error: { code: -32_603, message: 'there is no other replica' } }),
    post: async () => undefined,
    take: async () => undefined,
    share: () => undefined,
    sharedOf: () => undefined,
    shared: new Map(),
    stop: () => undefined,
  };
  return {
    replicas,
    released,
    member: (): ReplicaMember => {
      if (member === undefined) throw new Error('the hub has not joined');
      return member;
    },
  };
}

function toCommand(key: string, body: object): TakenCommand {
  const principal = { id: 'token:ada', name: 'ada', scope: 'admin' };
  return {
    id: crypto.randomUUID(),
    key,
    body: { from: { person: 'ada' }, principal, ...body },
    isRetaken: false,
    signal: new AbortController().signal,
  };
}
