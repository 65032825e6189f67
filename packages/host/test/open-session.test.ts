import { expect, onTestFinished, test, vi } from 'vitest';
import { HostError, openSession, type HostEvent } from '../src/index.ts';
import { folder, only } from './harness.ts';
import { connectRaw } from './raw-agent.ts';

/** A promise, and what fulfils it. */
function deferred<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((onValue) => {
    resolve = onValue;
  });
  return { promise, resolve };
}

const closes = { sessionCapabilities: { close: {} } };

test('opening a session has its own timeout, and its error says so', async () => {
  const { connection, events } = await connectRaw(
    { 'session/new': () => new Promise(() => {}), 'session/load': () => new Promise(() => {}) },
    { capabilities: { loadSession: true }, openTimeoutMs: 20, requestTimeoutMs: 60_000 },
  );
  const cwd = await folder();

  await expect(openSession(connection, { cwd })).rejects.toMatchObject({
    code: 'open-timeout',
    message: 'while opening a session: session/new: no answer from "raw" in 20 ms',
  });
  await expect(openSession(connection, { cwd, resume: { sessionId: 'old' } })).rejects.toMatchObject({
    code: 'open-timeout',
    message: 'while opening a session: session/load: no answer from "raw" in 20 ms',
  });
  expect(only(events, 'session-opening')).toEqual([
    { type: 'session-opening', agent: 'raw', limitMs: 20 },
    { type: 'session-opening', agent: 'raw', limitMs: 20 },
  ]);
  expect(only(events, 'session-not-opened')).toHaveLength(2);
});

test.each([
  ['session/new', {}],
  ['session/load', { resume: { sessionId: 'old' } }],
])('while a user is asked, the time of %s stands still', async (method, how) => {
  const answer = deferred<{ readonly action: 'decline' }>();
  const asked = deferred<void>();
  const { connection, agent, heard } = await connectRaw(
    { [method]: () => new Promise(() => {}) },
    {
      capabilities: { loadSession: true },
      openTimeoutMs: 1000,
      interact: {
        elicitation: () => {
          asked.resolve();
          return answer.promise;
        },
      },
    },
  );
  const cwd = await folder();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const ends: string[] = [];
  const opening = openSession(connection, { cwd, ...how }).catch((error: unknown) => {
    ends.push(error instanceof HostError ? error.code : String(error));
  });
  await heard(method);
  const params = { requestId: 1, mode: 'url', elicitationId: 'e', url: 'https://example.com', message: 'in' };
  const reply = agent.request('elicitation/create', params);
  await asked.promise;
  await vi.advanceTimersByTimeAsync(5000);
  expect(ends).toEqual([]);
  answer.resolve({ action: 'decline' });
  await reply;
  await vi.advanceTimersByTimeAsync(1000);
  await opening;
  expect(ends).toEqual(['open-timeout']);
});

test('opening a session may take longer than other requests', async () => {
  const answer = deferred<object>();
  const { connection } = await connectRaw(
    { 'session/new': () => answer.promise, logout: () => new Promise(() => {}) },
    { capabilities: { auth: { logout: {} } }, requestTimeoutMs: 20 },
  );

  const opening = openSession(connection, { cwd: await folder() });
  await expect(connection.logout()).rejects.toMatchObject({ code: 'request-timeout' });
  answer.resolve({ sessionId: 'late' });

  await expect(opening).resolves.toMatchObject({ id: 'late' });
});

test('an agent that ends meanwhile fails the opening, and the error names the pending request', async () => {
  const { connection, agent, heard } = await connectRaw({ 'session/new': () => new Promise(() => {}) });

  const opening = openSession(connection, { cwd: await folder() });
  await heard('session/new');
  await Promise.all([
    expect(opening).rejects.toMatchObject({
      code: 'agent-exited',
      message: 'while opening a session: session/new to "raw": the connection ended: the other end closed',
    }),
    agent.close(),
  ]);
});

test.each([
  ['the time is over', { openTimeoutMs: 20 }, 'open-timeout'],
  ['the caller does not want it any more', {}, 'aborted'],
])('a session that comes after %s is closed', async (_why, options, code) => {
  const answer = deferred<object>();
  const { connection, received, heard, events } = await connectRaw(
    { 'session/new': () => answer.promise, 'session/close': () => ({}) },
    { capabilities: closes, ...options },
  );
  const controller = new AbortController();

  const opening = openSession(connection, { cwd: await folder(), signal: controller.signal });
  await heard('session/new');
  if (code === 'aborted') controller.abort();
  await expect(opening).rejects.toMatchObject({ code });
  answer.resolve({ sessionId: 'orphan' });
  await heard('session/close');

  expect(received.at(-1)).toEqual({ method: 'session/close', params: { sessionId: 'orphan' } });
  expect(only(events, 'session')).toEqual([]);
  expect(only(events, 'diagnostic')).toMatchObject([{ code: 'unexpected-answer' }]);
});

test('a session that cannot be closed is reported', async () => {
  const answer = deferred<object>();
  const reported = deferred<HostEvent>();
  const { connection, received } = await connectRaw(
    { 'session/new': () => answer.promise },
    {
      openTimeoutMs: 20,
      onEvent: (event) => (event.type === 'diagnostic' ? reported.resolve(event) : undefined),
    },
  );

  await expect(openSession(connection, { cwd: await folder() })).rejects.toMatchObject({
    code: 'open-timeout',
  });
  answer.resolve({ sessionId: 'orphan' });

  await expect(reported.promise).resolves.toMatchObject({
    code: 'unexpected-answer',
    message: expect.stringContaining('no way to close'),
  });
  expect(received.map(({ method }) => method)).not.toContain('session/close');
});
