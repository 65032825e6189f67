import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Finished, parley, scripted, temporaryFolder } from './command.ts';
import { openScreen } from './screen.ts';

/** An agent without a signed-in user, which offers ways to sign in. */
function locked(options: {
  readonly methods: readonly string[];
  readonly authMethods: readonly object[];
  readonly file?: string;
  readonly variable?: string;
  readonly authentication?: readonly object[];
  readonly capabilities?: object;
  readonly prompt?: readonly object[];
  readonly sessions?: readonly object[];
}): string[] {
  const {
    methods,
    authMethods,
    file,
    variable,
    authentication,
    capabilities = {},
    prompt,
    sessions,
  } = options;
  return scripted({
    initialize: { authMethods, agentCapabilities: capabilities },
    locked: { methods, file, variable },
    authentication,
    sessions,
    prompt: prompt ?? [{ say: 'who goes there?' }],
  });
}

const login = { id: 'login', name: 'Log in', description: 'opens a page' };
const variable = {
  id: 'key',
  name: 'API key',
  type: 'env_var',
  vars: [{ name: 'SCRIPTED_KEY', label: 'Key' }],
};

test.each(['session/new', 'session/prompt'])(
  'a user chooses how to sign in when %s is refused, and it is sent once more',
  async (method) => {
    await using folder = await temporaryFolder();
    const words = locked({ methods: [method], authMethods: [login] });
    using screen = openScreen(['run', 'go', '--', ...words], folder.path);
    await screen.shows('scripted requires sign-in.');
    await screen.shows('1  Log in');
    await screen.shows('opens a page');
    await screen.shows('do not sign in]: ');
    screen.type('1\r');
    await screen.shows('who goes there?');
    expect(await screen.exited).toBe(0);
  },
);

test('an agent is shown by its title, not by its package name', async () => {
  await using folder = await temporaryFolder();
  const words = scripted({
    initialize: {
      agentInfo: { name: '@example/agent', title: 'Some Agent', version: '1.0.0' },
      authMethods: [login],
    },
    locked: { methods: ['session/new'] },
  });
  using screen = openScreen(['run', 'go', '--', ...words], folder.path);
  await screen.shows('Some Agent requires sign-in.');
  await screen.shows('do not sign in]: ');
  screen.type('\r');
  expect(await screen.exited).toBe(7);
});

test('declining the sign-in ends the run with status 7', async () => {
  await using folder = await temporaryFolder();
  const words = locked({ methods: ['session/new'], authMethods: [login] });
  using screen = openScreen(['run', 'go', '--', ...words], folder.path);
  await screen.shows('do not sign in]: ');
  screen.type('\r');
  expect(await screen.exited).toBe(7);
});

test('an agent that rejects again is not asked a third time', async () => {
  await using folder = await temporaryFolder();
  const refused = { 'session/prompt': { code: -32000, message: 'Authentication required' } };
  const words = scripted({ initialize: { authMethods: [login] }, errors: refused });
  using screen = openScreen(['run', 'go', '--', ...words], folder.path);
  await screen.shows('do not sign in]: ');
  screen.type('1\r');
  expect(await screen.exited).toBe(7);
  expect(screen.text().match(/requires sign-in/g)).toHaveLength(1);
});

test("the agent's own command signs in on the terminal, and the agent is started again", async () => {
  await using folder = await temporaryFolder();
  const words = locked({
    methods: ['session/prompt'],
    file: path.join(folder.path, 'signed-in'),
    authMethods: [
      {
        id: 't',
        name: 'In the terminal',
        type: 'terminal',
        args: ['login'],
        env: { LOGIN_HINT: ' of the day' },
      },
    ],
  });
  const log = path.join(folder.path, 'log');
  using screen = openScreen(['run', 'go', '--', ...words], folder.path, { env: { SCRIPTED_LOG: log } });
  await screen.shows('runs here: ');
  await screen.shows('do not sign in]: ');
  screen.type('1\r');
  await screen.shows('the word of the day? ');
  screen.type('wrong\r');
  await screen.shows('Sign-in failed.');
  await screen.shows('do not sign in]: ');
  screen.type('1\r');
  await screen.shows('the word of the day? ');
  screen.type('open\r');
  await screen.shows('who goes there?');
  expect(await screen.exited).toBe(0);
  const sent = await readFile(log, 'utf8');
  expect(sent).toContain('"auth":{"terminal":true}');
  expect(sent.match(/"method":"initialize"/g)).toHaveLength(2);
  expect(sent).not.toContain('"authenticate"');
});

test('a key is typed without echo, passed to the agent and stored nowhere', async () => {
  await using folder = await temporaryFolder();
  const words = locked({ methods: ['session/new'], authMethods: [variable], variable: 'SCRIPTED_KEY' });
  const record = path.join(folder.path, 'record');
  using screen = openScreen(['run', '--record', record, 'go', '--', ...words], folder.path);
  await screen.shows('sets SCRIPTED_KEY');
  await screen.shows('do not sign in]: ');
  screen.type('1\r');
  await screen.shows('Key (SCRIPTED_KEY) [is not shown; ');
  await screen.shows(']: ');
  screen.type('top-secret-7\r');
  await screen.shows('who goes there?');
  expect(await screen.exited).toBe(0);
  expect(screen.text()).not.toContain('top-secret-7');
  expect(await readFile(record, 'utf8')).not.toContain('top-secret-7');
});

test('a recording never contains a typed key, even if the agent repeats it', async () => {
  await using folder = await temporaryFolder();
  const words = locked({
    methods: ['session/new'],
    authMethods: [variable],
    variable: 'SCRIPTED_KEY',
    prompt: [{ sayVariable: 'SCRIPTED_KEY' }],
  });
  const record = path.join(folder.path, 'record');
  using screen = openScreen(['run', '--record', record, 'go', '--', ...words], folder.path);
  await screen.shows('do not sign in]: ');
  screen.type('1\r');
  await screen.shows('Key (SCRIPTED_KEY)');
  await screen.shows(']: ');
  screen.type('correct horse\r');
  await screen.shows('it is correct horse');
  expect(await screen.exited).toBe(0);
  const recorded = await readFile(record, 'utf8');
  expect(recorded).toContain('it is [redacted]');
  expect(recorded).not.toContain('correct horse');
});

test("listing an agent's sessions can sign in too", async () => {
  await using folder = await temporaryFolder();
  const words = locked({
    methods: ['session/list', 'session/load'],
    authMethods: [login],
    capabilities: { loadSession: true, sessionCapabilities: { list: {} } },
    sessions: [{ sessionId: 'kept-1', cwd: folder.path, title: 'Kept' }],
  });
  using screen = openScreen(['sessions', 'load', 'kept-1', '--', ...words], folder.path);
  await screen.shows('scripted requires sign-in.');
  await screen.shows('do not sign in]: ');
  screen.type('1\r');
  expect(await screen.exited).toBe(0);
  const unasked = await parley(['sessions', 'list', '--', ...words], { cwd: folder.path });
  expect(unasked).toMatchObject({ status: 7, stdout: '' });
  expect(unasked.stderr).toContain('Log in (opens a page)');
});

test('a question of the agent during sign-in is shown', async () => {
  await using folder = await temporaryFolder();
  const address = {
    mode: 'url',
    elicitationId: 'e',
    url: 'https://example.com/login',
    message: 'Log in there',
  };
  const words = locked({
    methods: ['session/prompt'],
    authMethods: [login],
    authentication: [{ ask: { method: 'elicitation/create', params: address } }],
  });
  using screen = openScreen(['run', 'go', '--', ...words], folder.path);
  await screen.shows('do not sign in]: ');
  screen.type('1\r');
  await screen.shows('example.com');
  await screen.shows('[y/N]: ');
  screen.type('y\r');
  await screen.shows('who goes there?');
  expect(await screen.exited).toBe(0);
});

test('without a user the run ends with status 7 and says what to do', async () => {
  const words = locked({ methods: ['session/new'], authMethods: [login, variable] });
  const { status, stderr } = await parley(['run', 'go', '--', ...words]);
  expect(status).toBe(7);
  expect(stderr).toContain('Log in (opens a page), API key (set SCRIPTED_KEY)');
});

test('a chat signs in and out on request', async () => {
  await using folder = await temporaryFolder();
  const words = locked({
    methods: ['session/prompt'],
    authMethods: [login],
    capabilities: { auth: { logout: {} } },
  });
  using screen = openScreen(['chat', '--', ...words], folder.path);
  await screen.shows('> ');
  screen.type('/login\r');
  await screen.shows('do not sign in]: ');
  screen.type('1\r');
  await screen.shows('Signed in.');
  await screen.shows('> ');
  screen.type('hello\r');
  await screen.shows('who goes there?');
  await screen.shows('> ');
  screen.type('/logout\r');
  await screen.shows('Signed out.');
  await screen.shows('> ');
  screen.type('hello\r');
  await screen.shows('requires sign-in.');
  await screen.shows('do not sign in]: ');
  screen.type('\r');
  await screen.shows('wants to be signed in');
  await screen.shows('> ');
  screen.type('\u0004');
  expect(await screen.exited).toBe(0);
});

test('an agent that reads a variable only on request is signed in with the typed key', async () => {
  await using folder = await temporaryFolder();
  const words = locked({ methods: ['session/new'], authMethods: [variable] });
  using screen = openScreen(['run', 'go', '--', ...words], folder.path);
  await screen.shows('do not sign in]: ');
  screen.type('1\r');
  await screen.shows('Key (SCRIPTED_KEY)');
  await screen.shows(']: ');
  screen.type('top-secret-7\r');
  await screen.shows('who goes there?');
  expect(await screen.exited).toBe(0);
});

describe('an agent of the catalogue', () => {
  const apiKey = { id: 'api-key', name: 'API Key' };
  const run = async (
    authMethods: readonly object[],
    env: Readonly<Record<string, string>> = {},
    method = 'session/new',
  ): Promise<Finished> => {
    await using folder = await temporaryFolder();
    const [command = '', ...args] = locked({ methods: [method], authMethods });
    const home = path.join(folder.path, 'home');
    const entry = {
      id: 'known-agent',
      name: 'Known',
      version: '1.0.0',
      description: 'One that is known.',
      distribution: { npx: { package: 'known-agent@1.0.0' } },
      parley: {
        detect: { commands: [path.basename(command)] },
        start: { args },
        signIn: { hint: 'Set KNOWN_KEY.', variables: ['KNOWN_KEY'], method: 'api-key' },
      },
    };
    await mkdir(path.join(home, 'agents'), { recursive: true });
    await writeFile(path.join(home, 'agents', 'known-agent.json'), JSON.stringify(entry));
    return await parley(['run', '-a', 'known-agent', 'go'], {
      cwd: folder.path,
      env: { PARLEY_HOME: home, PATH: path.dirname(command), ...env },
    });
  };

  test('is signed in with a variable that is set, even if it does not read it by itself', async () => {
    expect(await run([apiKey], { KNOWN_KEY: 'k' })).toMatchObject({ status: 0, stdout: 'who goes there?\n' });
    const prompted = await run([apiKey], { KNOWN_KEY: 'k' }, 'session/prompt');
    expect(prompted).toMatchObject({ status: 0, stdout: 'who goes there?\n' });
  });

  test('without sign-in methods is reported with the known instructions', async () => {
    const { status, stderr } = await run([], {}, 'session/prompt');
    expect(status).toBe(7);
    expect(stderr).toContain(
      '"known-agent" wants to be signed in: Authentication required; to sign in: Set KNOWN_KEY\n',
    );
  });
});
