import { findPostgres, type TestPostgres } from '@parley/conformance';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestPostgres } from '../postgres.ts';
import { emptyFolder, openReplica } from './replica-stage.ts';

describe.skipIf('missing' in findPostgres())('a prompt that is sent again with its id', () => {
  let server: TestPostgres;

  beforeAll(async () => {
    server = await startTestPostgres();
  });

  afterAll(() => server[Symbol.asyncDispose]());

  test('has one turn, whichever replicas it is sent to, and each request receives its outcome', async () => {
    const url = await server.createDatabase();
    const folder = await emptyFolder();
    const one = await openReplica(url, 'one', { workspaces: [{ folder }] });
    const two = await openReplica(url, 'two', { workspaces: [{ folder }] });
    const near = await one.join();
    const far = await two.join();
    const sessionId = await near.start(folder);
    await far.until(() => far.sessions.get(sessionId)?.machine === 'one');
    const prompt = {
      sessionId,
      prompt: [{ type: 'text', text: 'once' }],
      _meta: { 'parley/promptId': 'prompt-1' },
    };

    const both = await Promise.all([near.ask('session/prompt', prompt), far.ask('session/prompt', prompt)]);
    const later = await far.ask('session/prompt', prompt);

    expect([...both, later]).toMatchObject([1, 2, 3].map(() => ({ stopReason: 'end_turn' })));
    expect(one.agent.requests).toEqual(['session/new', 'session/prompt once']);
    expect([...one.faults, ...two.faults]).toEqual([]);
  });
});
