import { RpcError, type ObservedFrame } from '@parley/wire';
import { expect, test } from 'vitest';
import { HostError, openSession, superviseAgent, withSignIn } from '../src/index.ts';
import { folder, open } from './harness.ts';
import { connectRaw } from './raw-agent.ts';

/** The messages that went to the agent, as text. */
function sentTo(): { readonly observe: (frame: ObservedFrame) => void; readonly sent: string[] } {
  const sent: string[] = [];
  return {
    sent,
    observe: ({ direction, message }) => {
      if (direction === 'out') sent.push(JSON.stringify(message));
    },
  };
}

const authMethods = [
  { id: 'page', name: 'Log in' },
  { id: 'here', name: 'Log in here', type: 'terminal' },
];

test('an agent signs in by its own method; a terminal method is never sent to it', async () => {
  const { observe, sent } = sentTo();
  const { connection } = await open('scripted', { start: { initialize: { authMethods } }, observe });

  await connection.authenticate('page');
  await expect(connection.authenticate('here')).rejects.toMatchObject({ code: 'not-supported' });
  await expect(connection.authenticate('elsewhere')).rejects.toMatchObject({ code: 'not-supported' });

  expect(sent.filter((message) => message.includes('"authenticate"'))).toEqual([
    expect.stringContaining('"methodId":"page"'),
  ]);
});

test('logout is sent only to an agent that supports it', async () => {
  const [can, cannot] = [sentTo(), sentTo()];
  const start = { capabilities: { auth: { logout: {} } } };
  const { connection } = await open('scripted', { start, observe: can.observe });
  const { connection: other } = await open('scripted', { observe: cannot.observe });

  await connection.logout();
  await expect(other.logout()).rejects.toMatchObject({ code: 'not-supported' });

  expect(can.sent.at(-1)).toContain('"logout"');
  expect(cannot.sent.some((message) => message.includes('"logout"'))).toBe(false);
});

test('the error of an agent that requires a sign-in says how, where it is known', async () => {
  const refused = { code: -32000, message: 'The key is missing.' };
  const start = { initialize: { authMethods }, newSessionError: refused };
  const { connection } = await open('scripted', { start, signIn: { hint: 'Set TOOL_KEY.', variables: [] } });

  await expect(openSession(connection, { cwd: await folder() })).rejects.toMatchObject({
    code: 'auth-required',
    message: expect.stringMatching(/wants to be signed in: The key is missing; to sign in: Set TOOL_KEY$/u),
  });
});

test('aborting the signal ends the wait for a sign-in', async () => {
  const { connection } = await open('scripted', {
    start: { initialize: { authMethods }, never: ['authenticate'] },
  });
  const given = new AbortController();

  const signingIn = connection.authenticate('page', { signal: given.signal });
  given.abort();

  await expect(signingIn).rejects.toMatchObject({ code: 'aborted' });
});

test('terminal sign-in is declared only if a terminal is available', async () => {
  const [without, withOne] = [sentTo(), sentTo()];
  await open('scripted', { observe: without.observe });
  await open('scripted', { observe: withOne.observe, serves: { signInTerminal: true } });

  expect(without.sent[0]).not.toContain('"auth"');
  expect(withOne.sent[0]).toContain('"auth":{"terminal":true}');
});

test.each([
  ['of ours', new HostError('auth-required', 'sign in')],
  ["of the agent's", new RpcError(-32000, 'Authentication required')],
])('what fails for want of a sign-in with an error %s is done once more', async (_whose, failure) => {
  const outcomes = [Promise.reject(failure), Promise.resolve('done')];
  let signedIn = 0;

  const result = await withSignIn(
    () => outcomes.shift() ?? Promise.resolve('too often'),
    () => {
      signedIn += 1;
      return Promise.resolve(true);
    },
  );

  expect({ result, signedIn }).toEqual({ result: 'done', signedIn: 1 });
});

test('without a sign-in, or after a failed one, the original error is thrown', async () => {
  const failure = new HostError('auth-required', 'sign in');
  const other = new HostError('closed', 'gone');
  const refuse = (): Promise<never> => Promise.reject(failure);

  await expect(withSignIn(refuse, () => Promise.resolve(false))).rejects.toBe(failure);
  await expect(withSignIn(refuse, () => Promise.resolve(true))).rejects.toBe(failure);
  await expect(
    withSignIn(
      () => Promise.reject(other),
      () => Promise.reject(new Error('was asked')),
    ),
  ).rejects.toBe(other);
});

test('a server that rejects credentials is not a reason to sign in to the agent', async () => {
  const failure = new HostError('auth-required', 'the server answered 401', { httpStatus: 401 });
  await expect(
    withSignIn(
      () => Promise.reject(failure),
      () => Promise.reject(new Error('was asked')),
    ),
  ).rejects.toBe(failure);
});

test.each([
  [true, { stopReason: 'end_turn' }, 2],
  [false, { code: 'auth-required' }, 1],
])(
  'a prompt of a supervised agent that requires a sign-in is sent again after the sign-in: %s',
  async (signsIn, expected, times) => {
    let prompts = 0;
    const raw = await connectRaw({
      'session/prompt': () => {
        prompts += 1;
        if (prompts === 1) throw new RpcError(-32000, 'Sign in');
        return { stopReason: 'end_turn' };
      },
    });
    const agent = await superviseAgent({
      open: () => Promise.resolve(raw.connection),
      onEvent: () => {},
      signIn: () => Promise.resolve(signsIn),
    });
    const session = await agent.openSession({ cwd: await folder() });

    const outcome = await session.prompt([{ type: 'text', text: 'go' }]).catch((error: unknown) => error);

    expect(outcome).toMatchObject(expected);
    expect(prompts).toBe(times);
  },
);
