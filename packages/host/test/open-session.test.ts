import { expect, onTestFinished, test, vi } from 'vitest';
import { HostError, openSession, type HostEvent } from '../src/index.ts';
import { folder, only } from './harness.ts';
import { connectRaw, type Answers } from './raw-agent.ts';

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

const asksStatus = { loadSession: true, sessionCapabilities: { resume: {}, status: {} } };

/** Continues a session with an agent that answers `session/status` that way. */
async function resumeWith(status: Answers[string], capabilities: object = asksStatus) {
  const raw = await connectRaw({ 'session/resume': () => ({}), 'session/status': status }, { capabilities });
  const session = await openSession(raw.connection, { cwd: await folder(), resume: { sessionId: 'old' } });
  return { ...raw, session, methods: raw.received.map(({ method }) => method).slice(1) };
}

test('a session that another program has open is continued, with a warning', async () => {
  const { events, received, methods } = await resumeWith(() => ({ status: 'open' }));
  expect(methods).toEqual(['session/status', 'session/resume']);
  expect(received[1]?.params).toEqual({ sessionId: 'old' });
  expect(only(events, 'diagnostic')).toEqual([
    {
      type: 'diagnostic',
      level: 'warning',
      code: 'open-elsewhere',
      message:
        '"raw" reports that another program has this session open, too. Each may not see what the other writes',
    },
  ]);
  // It is the last thing that a user reads before the next turn.
  expect(events.at(-1)?.type).toBe('diagnostic');
});

test.each<[string, Answers[string]]>([
  ['saved', () => ({ status: 'saved' })],
  ['an unknown state', () => ({ status: 'other' })],
  ['something else', () => ({ status: ['open'] })],
  [
    'an error',
    () => {
      throw new Error('no');
    },
  ],
])(
  'an agent that answers session/status with %s continues a session as any other does',
  async (_name, status) => {
    const { events, methods } = await resumeWith(status);
    expect(methods).toEqual(['session/status', 'session/resume']);
    expect(only(events, 'diagnostic')).toEqual([]);
  },
);

test('an agent that does not declare session/status is not asked', async () => {
  const { events, methods } = await resumeWith(() => ({ status: 'open' }), {
    sessionCapabilities: { resume: {} },
  });
  expect(methods).toEqual(['session/resume']);
  expect(only(events, 'diagnostic')).toEqual([]);
});

/** An answer that only comes when the request is cancelled. */
const never: Answers[string] = (_params, { signal }) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(new Error('cancelled'));
    });
  });

test('an agent that does not answer session/status is asked to continue the session all the same', async () => {
  const cwd = await folder();
  const { connection, events, heard } = await connectRaw(
    { 'session/resume': () => ({}), 'session/status': never },
    { capabilities: asksStatus },
  );
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const opening = openSession(connection, { cwd, resume: { sessionId: 'old' } });
  await heard('session/status');
  await vi.advanceTimersByTimeAsync(5000);
  await opening;
  expect(only(events, 'diagnostic')).toEqual([]);
});

test('a session that is no longer wanted while its state is asked for is not continued', async () => {
  const stop = new AbortController();
  const { connection, events, received } = await connectRaw(
    {
      'session/status': (params, context) => {
        const answer = never(params, context);
        stop.abort();
        return answer;
      },
    },
    { capabilities: asksStatus },
  );
  const options = { cwd: await folder(), resume: { sessionId: 'old' }, signal: stop.signal };
  await expect(openSession(connection, options)).rejects.toMatchObject({ code: 'aborted' });
  expect(received.map(({ method }) => method)).not.toContain('session/resume');
  expect(only(events, 'session')).toEqual([]);
});

test('a connection asks about a session once, and never about one that it opened itself', async () => {
  const { connection, events, received } = await connectRaw(
    {
      'session/status': () => ({ status: 'open' }),
      'session/resume': () => {
        throw new Error('no');
      },
      'session/load': () => ({}),
      'session/close': () => ({}),
    },
    { capabilities: { ...asksStatus, sessionCapabilities: { resume: {}, status: {}, close: {} } } },
  );
  const cwd = await folder();
  const mine = await openSession(connection, { cwd });
  await mine.close();
  await openSession(connection, { cwd, resume: { sessionId: mine.id, by: 'load' } });
  const asked = () => received.filter(({ method }) => method === 'session/status');
  expect(asked()).toEqual([]);

  const old = { sessionId: 'old' } as const;
  await expect(openSession(connection, { cwd, resume: { ...old, by: 'resume' } })).rejects.toMatchObject({
    code: -32_603,
  });
  expect(only(events, 'diagnostic')).toEqual([]);
  const loaded = await openSession(connection, { cwd, resume: { ...old, by: 'load' } });
  await loaded.close();
  await openSession(connection, { cwd, resume: { ...old, by: 'load' } });
  expect(asked()).toHaveLength(1);
  expect(only(events, 'diagnostic')).toHaveLength(1);
});
