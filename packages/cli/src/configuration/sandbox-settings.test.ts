import { homedir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { SandboxConfiguration } from './configuration.ts';
import { parseConfiguration } from './parse-configuration.ts';
import { choiceFor, commandSandboxSettings, sandboxSettings } from './sandbox-settings.ts';

const env = { PARLEY_HOME: '/state' };
const cwd = '/work/project';
const spec = {
  name: 'gemini',
  reach: { by: 'command', command: 'gemini' },
  stateDirs: ['~/.gemini'],
  hosts: ['*.googleapis.com'],
} as const;

async function configured(user: object, project?: object): Promise<{ sandbox: SandboxConfiguration }> {
  const layer = async (content: object): Promise<SandboxConfiguration['user']> =>
    (await parseConfiguration(JSON.stringify(content), 'config.json')).sandbox;
  const [own, narrowing] = [await layer(user), project === undefined ? undefined : await layer(project)];
  return {
    sandbox: {
      ...(own !== undefined && { user: own }),
      ...(narrowing !== undefined && { project: narrowing }),
    },
  };
}

async function settings(user: object, project?: object): Promise<ReturnType<typeof sandboxSettings>> {
  return sandboxSettings(await configured(user, project), env, { spec, cwd });
}

test('the sandbox is off by default, and a project can request one', async () => {
  expect(await settings({})).toBeUndefined();
  expect(await settings({}, { sandbox: 'read-only' })).toMatchObject({ mode: 'read-only' });
});

test('a string sets the mode, and the agent spec provides the rest', async () => {
  expect(await settings({ sandbox: 'workspace' })).toEqual({
    mode: 'workspace',
    write: [],
    stateDirs: [path.join(homedir(), '.gemini')],
    read: 'all',
    hide: [],
    ownState: ['/state'],
    network: ['*.googleapis.com'],
  });
});

test('an agent without a spec has no network and no state folder', async () => {
  const other = { name: 'mine', reach: spec.reach };
  const found = sandboxSettings(await configured({ sandbox: 'workspace' }), env, { spec: other, cwd });
  expect(found).toMatchObject({ stateDirs: [], network: 'off' });
});

test('fields of one agent replace those for all agents; paths hidden for all stay hidden', async () => {
  const user = {
    sandbox: { mode: 'workspace', write: ['/a'], hide: ['secret.txt'] },
    agents: { gemini: { sandbox: { mode: 'read-only', write: ['~/b'], hide: ['/c'], network: 'on' } } },
  };
  expect(await settings(user)).toMatchObject({
    mode: 'read-only',
    write: [path.join(homedir(), 'b')],
    hide: ['/work/project/secret.txt', '/c'],
    network: 'on',
  });
  expect(choiceFor(await configured(user), 'another')).toBe('workspace');
});

test("the user's choice sets the mode, and other fields stay", async () => {
  const configuration = await configured(
    { sandbox: { mode: 'off', hide: ['/a'] } },
    { sandbox: 'read-only' },
  );
  const wish = { spec, cwd };
  expect(sandboxSettings(configuration, env, { ...wish, choice: 'workspace' })).toMatchObject({
    mode: 'workspace',
    hide: ['/a'],
  });
  expect(sandboxSettings(configuration, env, { ...wish, choice: 'off' })).toBeUndefined();
});

test("a project's file makes a mode stricter, never wider", async () => {
  expect(await settings({ sandbox: 'workspace' }, { sandbox: 'off' })).toMatchObject({ mode: 'workspace' });
  expect(
    await settings({ sandbox: 'workspace' }, { agents: { gemini: { sandbox: 'read-only' } } }),
  ).toMatchObject({ mode: 'read-only' });
});

test("a project's file makes lists smaller and hides more", async () => {
  const user = { sandbox: { mode: 'workspace', write: ['/a', '/b/c'], hide: ['/h'], read: ['/r'] } };
  const project = {
    sandbox: {
      write: ['/a/in', '/b', '/elsewhere', '/ab'],
      stateDirs: ['~/.gemini/tmp', '~/.ssh'],
      hide: ['.env'],
      read: ['/r/in', '/'],
    },
  };
  expect(await settings(user, project)).toMatchObject({
    write: ['/a/in', '/b/c'],
    stateDirs: [path.join(homedir(), '.gemini/tmp')],
    hide: ['/h', '/work/project/.env'],
    read: ['/r/in', '/r'],
  });
  expect(await settings({ sandbox: 'workspace' }, project)).toMatchObject({
    write: [],
    read: ['/r/in', '/'],
  });
});

test('commands need no permission only if the user configured autoApprove and uses the sandbox', async () => {
  const user = { sandbox: { mode: 'workspace', autoApprove: true } };
  const approving = async (own: object, project?: object): Promise<boolean | undefined> =>
    (await settings(own, project))?.autoApprove;
  expect(await approving(user)).toBe(true);
  expect(await approving({ sandbox: 'workspace' }, user)).toBeUndefined();
  expect(await approving(user, { sandbox: { autoApprove: false } })).toBe(false);
  expect(await approving({ sandbox: { autoApprove: true } }, { sandbox: 'workspace' })).toBeUndefined();

  const found = await configured({ sandbox: { autoApprove: true } });
  expect(sandboxSettings(found, env, { spec, cwd, choice: 'read-only' })?.autoApprove).toBe(true);
});

test.each([
  ['on', 'on', 'on'],
  ['on', 'off', 'off'],
  ['on', ['a.example'], ['a.example']],
  ['off', 'on', 'off'],
  ['off', ['a.example'], 'off'],
  [['a.example'], 'on', ['a.example']],
  [['a.example'], ['a.example:443', 'a.example:8080'], ['a.example:443']],
  [['a.example:443'], ['a.example'], ['a.example:443']],
  [['a.example:443'], ['a.example:80'], []],
  [['*.example'], ['a.example', 'example', '*.b.example', 'b.other'], ['a.example', '*.b.example']],
  [['a.example'], ['*.example'], ['a.example']],
])('of the network %j a project that says %j leaves %j', async (own, project, left) => {
  const found = await settings(
    { sandbox: { mode: 'workspace', network: own } },
    { sandbox: { network: project } },
  );
  expect(found?.network).toEqual(left);
});

test.each([
  [{ sandbox: 'on' }, 'sandbox: expected "off" or "workspace" or "read-only"'],
  [{ sandbox: 1 }, 'sandbox: expected "off" or "workspace" or "read-only", found a number'],
  [{ sandbox: { mode: 'none' } }, 'sandbox.mode: expected'],
  [{ sandbox: { write: '/a' } }, 'sandbox.write: expected a list, found text'],
  [{ sandbox: { write: [''] } }, 'sandbox.write[0]: must not be empty'],
  [{ sandbox: { hide: ['a\0b'] } }, 'sandbox.hide[0]: must not contain a NUL character'],
  [{ sandbox: { read: 'some' } }, 'sandbox.read: expected "all" or a list of folders'],
  [{ sandbox: { network: 'some' } }, 'sandbox.network: expected "off", "on" or a list of hosts'],
  [{ sandbox: { network: ['*'] } }, 'sandbox.network[0]: must be a host; for all hosts, "network" is "on"'],
  [{ sandbox: { network: ['a/b'] } }, 'sandbox.network[0]: must be a host, like "example.com"'],
  [{ sandbox: { network: ['a:0'] } }, 'sandbox.network[0]: must have a port from 1 to 65535'],
  [{ sandbox: { autoApprove: 'yes' } }, 'sandbox.autoApprove: expected true or false, found text'],
  [{ agents: { gemini: { sandbox: { mode: 2 } } } }, 'agents.gemini.sandbox.mode: expected'],
  [{ agents: { parley: { command: 'x', sandbox: 'off' } } }, "is the name of Parley's built-in agent"],
])('%j is refused: %s', async (content, message) => {
  await expect(parseConfiguration(JSON.stringify(content), 'config.json')).rejects.toThrow(message);
});

test('an entry that only has a sandbox does not configure an agent', async () => {
  const { agents, sandbox, warnings } = await parseConfiguration(
    JSON.stringify({ agents: { gemini: { sandbox: 'workspace' }, parley: { sandbox: 'read-only' } } }),
    'config.json',
  );
  expect([...agents.keys()]).toEqual([]);
  expect([...(sandbox?.agents.keys() ?? [])]).toEqual(['gemini', 'parley']);
  expect(warnings).toEqual([]);
});

test.each([
  [{}, undefined, 'workspace', undefined],
  [{ sandbox: { autoApprove: true } }, undefined, 'workspace', true],
  [{ sandbox: { autoApprove: true } }, { sandbox: { autoApprove: false } }, 'workspace', false],
  [{ sandbox: { autoApprove: true } }, { sandbox: 'read-only' }, 'read-only', true],
  [{}, { sandbox: { autoApprove: true } }, 'workspace', undefined],
  [{ agents: { parley: { sandbox: 'off' } } }, undefined, undefined, undefined],
] as const)(
  'commands of our agent: %j and the project %j hold them in the mode %j',
  async (own, project, mode, autoApprove) => {
    const found = commandSandboxSettings(await configured(own, project), env, cwd);
    expect([found?.mode, found?.autoApprove]).toEqual([mode, autoApprove]);
  },
);
