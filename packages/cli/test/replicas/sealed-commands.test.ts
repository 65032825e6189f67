import path from 'node:path';
import { createAapServer } from '@parley/aap/server';
import { findPostgres, type TestPostgres } from '@parley/conformance';
import { aapRoute, openSecretVault } from '@parley/gateway';
import { hubMethods } from '@parley/host/hub';
import { RpcError } from '@parley/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runSql, startTestPostgres } from '../postgres.ts';
import {
  emptyFolder,
  openReplica,
  type TestClient,
  type TestReplica,
  type TestReplicaOptions,
} from './replica-stage.ts';

/** Copies what commands hold at any moment. */
const copying = `
  create table public.copies (body text, outcome text);
  create function public.copy_command() returns trigger language plpgsql as $$
    begin insert into public.copies values (new.body, new.outcome); return new; end $$;
  create trigger copy_command after insert or update on parley.commands
    for each row execute function public.copy_command();`;

describe.skipIf('missing' in findPostgres())('what replicas send to each other', () => {
  let server: TestPostgres;

  beforeAll(async () => {
    server = await startTestPostgres();
  });

  afterAll(() => server[Symbol.asyncDispose]());

  test('a secret that a client of another replica typed is nowhere in plain with a key of --secrets-key', async () => {
    const { url, key, far } = await openTwo({
      seal: await openSecretVault(path.join(await emptyFolder(), 'key')),
    });

    await expect(far.ask('session/set_config_option', option(key))).rejects.toMatchObject({
      message: expect.not.stringMatching(/--secrets-key/u),
    });

    const copies = await runSql(url, 'select * from public.copies');
    expect(copies).not.toEqual([]);
    expect(JSON.stringify(copies)).not.toContain(planted);
    await expect.poll(() => runSql(url, 'select * from parley.commands')).toEqual([]);
  });

  test('without a key, requests with a secret are refused with the way out, and nothing of them is stored', async () => {
    const { url, folder, key, far, two } = await openTwo({});
    const headers = [{ name: 'X-Team', value: planted }];
    const mcpServers = [{ type: 'http', name: 'web', url: 'https://1.1.1.1/', headers }];
    const answer = (given: object): object => ({ sessionId: key, requestId: 'r', answer: given });
    const requests: readonly (readonly [method: string, params: object])[] = [
      ['session/set_config_option', option(key)],
      ['session/resume', { sessionId: key, cwd: folder, mcpServers }],
      [hubMethods.answer, answer({ kind: 'sign-in', methodId: 'key', values: { KEY: planted } })],
      [hubMethods.answer, answer({ kind: 'form', action: 'accept', content: { pin: planted } })],
      ['example.com/connect', { sessionId: key, password: planted }],
    ];
    for (const [method, params] of requests) {
      await expect(far.ask(method, params), method).rejects.toMatchObject({
        name: 'RpcError',
        message: expect.stringMatching(/same --secrets-key, or connect to that machine/u),
      });
    }
    const turns = `http://localhost/aap/sessions/${key}/turns`;
    const body = JSON.stringify({ messages: [], agent: { options: { key: planted } } });
    const route = aapRoute(createAapServer([]), undefined, two.hub);
    const refused = await route.answer(new Request(turns, { method: 'POST', body }), { requestId: 'r' });
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({
      code: 'store_failed',
      error: expect.stringMatching(/same --secrets-key/u),
    });

    expect(await runSql(url, 'select * from public.copies')).toEqual([]);
  });

  test('without a key, a form is answered from another machine, save its secret fields, and no secret of the agent is stored', async () => {
    const { url, key, far } = await openTwo({
      env: { KEY: 'swordfish' },
      turn: async ({ client, sessionId }) => {
        const response = await client.request('elicitation/create', {
          sessionId,
          mode: 'form',
          message: 'Who are you?',
          requestedSchema: {
            type: 'object',
            properties: { user: { type: 'string' }, password: { type: 'string', default: planted } },
          },
        });
        throw new RpcError(-32_603, `swordfish is wrong: ${JSON.stringify(response)}`);
      },
    });
    const turn = far.prompt(key, 'sign in').catch((error: unknown) => error);
    await far.until(() => far.questions.length > 0);
    const [{ requestId } = { requestId: '' }] = far.questions;
    const answer = (content: object): Promise<unknown> =>
      far.ask(hubMethods.answer, {
        sessionId: key,
        requestId,
        answer: { kind: 'form', action: 'accept', content },
      });
    expect(JSON.stringify(await runSql(url, 'select * from parley.shared'))).not.toContain(planted);

    await expect(answer({ user: 'ada', password: planted })).rejects.toMatchObject({
      message: expect.stringMatching(/same --secrets-key/u),
    });
    await answer({ user: 'ada' });

    expect(await turn).toMatchObject({ message: expect.stringMatching(/^\*\*\* is wrong: .*"user":"ada"/u) });
    const copies = JSON.stringify(await runSql(url, 'select * from public.copies'));
    expect(copies).toContain('is wrong: ');
    expect(copies).not.toMatch(/planted-secret|swordfish/u);
  });

  /** Two replicas, and a client of the second one that knows a session of the first one. */
  async function openTwo({ seal, ...own }: Pick<TestReplicaOptions, 'seal' | 'env' | 'turn'>): Promise<{
    readonly url: string;
    readonly folder: string;
    readonly key: string;
    readonly far: TestClient;
    readonly two: TestReplica;
  }> {
    const url = await server.createDatabase();
    const folder = await emptyFolder();
    const both = { workspaces: [{ folder }], ...(seal !== undefined && { seal }) };
    const one = await openReplica(url, 'one', { ...both, ...own });
    const two = await openReplica(url, 'two', both);
    const near = await one.join();
    const far = await two.join();
    const key = await near.start(folder);
    await far.until(() => far.sessions.get(key)?.machine === 'one');
    await runSql(url, copying);
    return { url, folder, key, far, two };
  }
});

const planted = 'planted-secret';

function option(sessionId: string): object {
  return { sessionId, configId: 'api_key', value: planted };
}
