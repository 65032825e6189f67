import path from 'node:path';
import { findPostgres, type TestPostgres } from '@parley/conformance';
import { openSecretVault } from '@parley/gateway';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runSql, startTestPostgres } from '../postgres.ts';
import { emptyFolder, openReplica } from './replica-stage.ts';

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

  test.each([
    ['is nowhere in plain with a key of --secrets-key', true],
    ['is deleted as soon as it is answered without one', false],
  ])('a secret that a client of another replica typed %s', async (_what, hasKey) => {
    const url = await server.createDatabase();
    const folder = await emptyFolder();
    const seal = hasKey ? { seal: await openSecretVault(path.join(await emptyFolder(), 'key')) } : {};
    const one = await openReplica(url, 'one', { workspaces: [{ folder }], ...seal });
    const two = await openReplica(url, 'two', { workspaces: [{ folder }], ...seal });
    const near = await one.join();
    const far = await two.join();
    const key = await near.start(folder);
    await far.until(() => far.sessions.get(key)?.machine === 'one');
    await runSql(url, copying);

    const option = { sessionId: key, configId: 'key', value: 'planted-secret' };
    await expect(far.ask('session/set_config_option', option)).rejects.toMatchObject({ name: 'RpcError' });

    const copies = JSON.stringify(await runSql(url, 'select * from public.copies'));
    expect(copies.includes('planted-secret')).toBe(!hasKey);
    await expect.poll(() => runSql(url, 'select * from parley.commands')).toEqual([]);
  });
});
