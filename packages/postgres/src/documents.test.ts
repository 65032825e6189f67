import { findPostgres, type TestPostgres } from '@parley/conformance';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from './connect.ts';
import { startTestPostgres } from './database.fixture.ts';
import { Documents } from './documents.ts';
import { postgresStore } from './postgres-store.ts';

describe.skipIf('missing' in findPostgres())('a document of two replicas', () => {
  let server: TestPostgres;

  beforeAll(async () => {
    server = await startTestPostgres();
  });

  afterAll(() => server[Symbol.asyncDispose]());

  test('one that stops while it changes it keeps the other from its change for a limited time', async () => {
    const url = await server.createDatabase();
    await using store = postgresStore({ url, folder: '/nowhere' });
    await store.ready();
    const ready = (): Promise<void> => Promise.resolve();
    const [one, other] = [connect(url, process.env), connect(url, process.env)];
    const stopped = new Documents(() => one.sql, ready, 500).of('d');
    const changing = new Documents(() => other.sql, ready).of('d');
    const [begun, goingOn] = [deferred(), deferred()];
    const outcome = stopped
      .change(async () => {
        begun.resolve();
        await goingOn.promise;
        return 'of the one that stopped';
      })
      .then(
        () => 'changed',
        () => 'undone',
      );

    await begun.promise;
    await changing.change((text) => Promise.resolve(`${text ?? 'nothing'}, and more`));
    goingOn.resolve();

    expect(await outcome).toBe('undone');
    expect(await changing.read()).toBe('nothing, and more');
    await Promise.all([one.end(), other.end()]);
  });
});

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
