import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { unstableAgent } from '@parley/conformance';
import { findSandboxEngine } from '@parley/workspace/sandbox';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Finished, parley, scripted, temporaryFolder, toLines } from './command.ts';

const engine = await findSandboxEngine({ projects: [] });

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
/** Not in the folder of the sessions: programs in that are not looked for. */
let programs: Awaited<ReturnType<typeof temporaryFolder>>;
let home = '';
let bin = '';
beforeEach(async () => {
  folder = await temporaryFolder();
  programs = await temporaryFolder();
  home = path.join(folder.path, 'home');
  bin = programs.path;
});
afterEach(async () => {
  await folder[Symbol.asyncDispose]();
  await programs[Symbol.asyncDispose]();
});

/** Runs `parley` on a machine which has no other programs than those in `bin`. */
function here(words: readonly string[], input = ''): Promise<Finished> {
  return parley(words, { cwd: folder.path, input, env: { PARLEY_HOME: home, PATH: bin } });
}

async function program(name: string, text: string): Promise<string> {
  const file = path.join(bin, name);
  await writeFile(file, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return file;
}

async function configuration(): Promise<unknown> {
  return JSON.parse(await readFile(path.join(home, 'config.json'), 'utf8'));
}

interface Listed {
  readonly agents: readonly { readonly name: string; readonly state: string }[];
}

async function listed(name: string): Promise<unknown> {
  const { stdout } = await here(['agents', '--json']);
  return (JSON.parse(stdout) as Listed).agents.find((agent) => agent.name === name);
}

/** A shell line that becomes the agent which says what the script says. */
const agentLine = (script: object): string =>
  `exec ${scripted(script)
    .map((word) => `'${word}'`)
    .join(' ')}`;

/** Programs are scripts for the shell here. */
const isWindows = process.platform === 'win32';

describe('list', () => {
  test.skipIf(isWindows)('lists what is installed, with its version and where it was found', async () => {
    const command = await program('gemini', 'echo 0.40.1');
    expect(await listed('gemini')).toMatchObject({ state: 'installed', command, version: '0.40.1' });
    expect(await listed('parley')).toMatchObject({ state: 'built-in', isDefault: true });
    expect(await listed('claude')).toMatchObject({ state: 'absent', id: 'claude-acp' });
    const { stdout, stderr, status } = await here(['agents']);
    expect(stdout).toMatch(/^gemini +0\.40\.1 +installed +\S+gemini$/m);
    expect([stderr, status]).toEqual(['', 0]);
  });

  test.skipIf(isWindows)(
    'what npm would install is available and not installed, and npm is not run',
    async () => {
      const mark = path.join(folder.path, 'ran');
      await program('npm', `echo x > '${mark}'`);
      expect(await listed('claude')).toMatchObject({ state: 'available', runner: 'npx' });
      expect(await listed('pi')).toMatchObject({ state: 'absent', missing: ['pi'] });
      await expect(readFile(mark)).rejects.toMatchObject({ code: 'ENOENT' });
    },
  );

  test.skipIf(isWindows)('a program named in the configuration of a project is not even run', async () => {
    const mark = path.join(folder.path, 'ran');
    const command = await program('evil', `echo x > '${mark}'`);
    await mkdir(path.join(folder.path, '.parley'));
    const project = { agents: { evil: { command } } };
    await writeFile(path.join(folder.path, '.parley', 'config.json'), JSON.stringify(project));
    expect(await listed('evil')).toBeUndefined();
    await expect(readFile(mark)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('values of variables and headers are never printed', async () => {
    await mkdir(home);
    const agents = {
      local: { command: 'node', env: { TOKEN: 's3cret' } },
      far: { url: 'wss://example.com/acp', headers: { Authorization: 's3cret' } },
    };
    await writeFile(path.join(home, 'config.json'), JSON.stringify({ agents }));
    expect(await listed('local')).toMatchObject({ state: 'configured', variables: ['TOKEN'] });
    expect(await listed('far')).toMatchObject({ headers: ['Authorization'] });
    for (const words of [
      ['agents'],
      ['agents', '--json'],
      ['agents', 'show', 'local'],
      ['agents', 'show', 'far'],
    ]) {
      expect((await here(words)).stdout).not.toContain('s3cret');
    }
  });

  test('each line fits into 80 columns when nothing is installed', async () => {
    const { stdout } = await here(['agents']);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });
});

describe('show', () => {
  test('describes how an agent starts and how to sign in', async () => {
    const { stdout, status } = await here(['agents', 'show', 'copilot']);
    expect(stdout).toContain('GitHub Copilot');
    expect(stdout).toMatch(/^sign in +Run "copilot"/m);
    expect(status).toBe(0);
  });

  test('finds an agent by its id in the registry too', async () => {
    const { stdout } = await here(['agents', 'show', 'github-copilot-cli', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ name: 'copilot', id: 'github-copilot-cli' });
  });

  test('the name of an agent without a command is wrong usage, and "show" is suggested', async () => {
    const { stdout, stderr, status } = await here(['agents', 'claude']);
    expect(stderr).toContain('agents has no command "claude"; did you mean "parley agents show claude"?');
    expect([stdout, status]).toEqual(['', 2]);
  });

  test('an unknown agent is wrong usage', async () => {
    const { stderr, status } = await here(['agents', 'show', 'nobody']);
    expect(stderr).toBe('parley: no agent "nobody"; "parley agents" lists the available agents\n');
    expect(status).toBe(2);
  });
});

describe('add and remove', () => {
  test.skipIf(isWindows)(
    'an added agent runs, before one of the catalogue of that name, until it is removed',
    async () => {
      const words = scripted({ prompt: [{ say: 'mine' }] });
      const added = await here(['agents', 'add', 'goose', '--', ...words]);
      expect(added.stdout).toContain('It now replaces goose of the catalogue.');
      await program('goose', 'exit 1');
      expect((await here(['run', '-a', 'goose', '--format', 'quiet', 'hello'])).stdout).toBe('mine\n');
      expect((await here(['agents', 'remove', 'goose'])).status).toBe(0);
      expect(await configuration()).toEqual({ agents: {} });
      expect((await here(['run', '-a', 'goose', 'hello'])).status).toBe(1);
    },
  );

  test('arguments after -- belong to the agent', async () => {
    await here(['agents', 'add', 'a', '--', 'node', 'x.mjs', '--help', '--', '-y']);
    expect(await configuration()).toEqual({
      agents: { a: { command: 'node', args: ['x.mjs', '--help', '--', '-y'] } },
    });
  });

  test('a remote agent is saved', async () => {
    const remote = ['--url', 'wss://example.com/acp', '--token-env', 'FAR_TOKEN'];
    const { stdout, status } = await here(['agents', 'add', 'far', ...remote]);
    expect(stdout).toContain('parley agents probe far');
    expect(status).toBe(0);
    expect(await configuration()).toEqual({
      agents: { far: { url: 'wss://example.com/acp', tokenEnv: 'FAR_TOKEN' } },
    });
    expect((await here(['agents', 'show', 'far'])).stdout).toMatch(/key in +FAR_TOKEN/);
  });

  test('removing the default agent prints a note', async () => {
    await mkdir(home);
    const before = { defaultAgent: 'a', agents: { a: { command: 'x' } } };
    await writeFile(path.join(home, 'config.json'), JSON.stringify(before));
    expect((await here(['agents', 'remove', 'a'])).stdout).toContain('It was the default agent');
  });

  test.each([
    ['no command', ['add', 'a'], 'expected a command line: parley agents add a -- COMMAND ARG…'],
    ['an empty command', ['add', 'a', '--'], 'expected a command line'],
    ['both', ['add', 'a', '--url', 'wss://x', '--', 'y'], 'cannot be combined'],
    ['a url of another kind', ['add', 'a', '--url', 'file:///x'], 'expected a URL with https:// or wss://'],
    ['a secret in the url', ['add', 'a', '--url', 'wss://me:s3cret@x/'], 'put a secret into "headers"'],
    ['a key for a name', ['add', 'a', '--url', 'wss://x', '--token-env', 's3cret-1'], 'name of a variable'],
    ['a variable without a url', ['add', 'a', '--token-env', 'A', '--', 'x'], '--token-env requires --url'],
    ['our name', ['add', 'parley', '--', 'x'], "the name of Parley's built-in agent"],
    ['a name that is a flag', ['add', 'a b', '--', 'x'], 'one word'],
    ['removing what is not there', ['remove', 'a'], 'no agent "a"'],
    ['removing what is known', ['remove', 'goose'], 'cannot be removed'],
  ])('%s is wrong usage in one line, and nothing is written', async (_what, words, message) => {
    const { stderr, status } = await here(['agents', ...words]);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('s3cret');
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(status).toBe(2);
    await expect(configuration()).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('an existing agent is not overwritten', async () => {
    await here(['agents', 'add', 'a', '--', 'one']);
    const { stderr, status } = await here(['agents', 'add', 'a', '--', 'two']);
    expect(stderr).toContain('remove it first with "parley agents remove a"');
    expect(status).toBe(2);
    expect(await configuration()).toMatchObject({ agents: { a: { command: 'one' } } });
  });
});

describe('import', () => {
  const agent = (id: string, version = '3.2.1'): object => ({
    id,
    name: id.toUpperCase(),
    version,
    description: 'From the registry.',
    distribution: { npx: { package: `${id}@latest` } },
    preview: { version: '4.0.0' },
  });

  test.skipIf(isWindows)('a registry brings new agents, and newer versions of known ones', async () => {
    await program('npm', 'exit 1');
    await writeFile(
      path.join(folder.path, 'registry.json'),
      JSON.stringify({ version: '1.0.0', agents: [agent('fresh'), agent('gemini')], extensions: [] }),
    );
    const { stdout, status } = await here(['agents', 'import', 'registry.json']);
    expect(stdout).toContain('Imported 2 agents');
    expect(status).toBe(0);
    expect(await listed('fresh')).toMatchObject({ state: 'available', package: 'fresh@3.2.1' });
    await program('gemini', 'exit 0');
    expect(await listed('gemini')).toMatchObject({ state: 'installed', title: 'GEMINI' });
    const kept = await readFile(path.join(home, 'agents', 'fresh.json'), 'utf8');
    expect(JSON.parse(kept)).toEqual(agent('fresh'));
  });

  test('an entry is imported from standard input, and can be removed', async () => {
    await here(['agents', 'import', '-'], JSON.stringify(agent('fresh')));
    expect(await listed('fresh')).toMatchObject({ title: 'FRESH' });
    expect((await here(['agents', 'remove', 'fresh'])).status).toBe(0);
    expect(await readdir(path.join(home, 'agents'))).toEqual([]);
  });

  test('invalid entries, and those with a name that is taken, are reported and skipped', async () => {
    const agents = [agent('claude'), agent('parley'), agent('good'), { ...agent('bad'), version: 1 }];
    const { stdout, stderr, status } = await here(['agents', 'import', '-'], JSON.stringify({ agents }));
    expect(stdout).toContain('Imported 1 agent ');
    expect(stderr.trimEnd().split('\n').toSorted()).toEqual([
      'parley: -: "claude" is already a name of Claude Code',
      `parley: -: "parley" is Parley's built-in agent`,
      'parley: -: agents[3].version: expected a version such as 1.2.3',
    ]);
    expect(status).toBe(1);
    expect(await readdir(path.join(home, 'agents'))).toEqual(['good.json']);
  });

  test('invalid JSON is reported with its position and none of its text', async () => {
    const { stderr, status } = await here(['agents', 'import', '-'], '{"s3cret": }');
    expect(stderr).toBe('parley: standard input:1:12: not valid JSON, expected a value\n');
    expect(status).toBe(2);
  });

  test('a file among the imported ones that is damaged is reported, and the others are listed', async () => {
    await mkdir(path.join(home, 'agents'), { recursive: true });
    await writeFile(path.join(home, 'agents', 'broken.json'), '{');
    await writeFile(path.join(home, 'agents', 'empty.json'), '{}');
    const { stdout, stderr, status } = await here(['agents']);
    expect(stdout).toContain('gemini');
    expect(stderr.trimEnd().split('\n')).toHaveLength(2);
    expect(status).toBe(0);
  });
});

describe('run -a', () => {
  test.skipIf(isWindows)('an installed agent is started with the arguments of the catalogue', async () => {
    const script = { prompt: [{ say: 'installed' }] };
    await program('opencode', `[ "$1" = acp ] && ${agentLine(script)}`);
    await program('npm', 'exit 1');
    const { stdout, stderr } = await here(['run', '-a', 'opencode', '--format', 'quiet', 'hello']);
    expect(stdout).toBe('installed\n');
    // There is no git on this PATH.
    expect(stderr).toMatch(/^parley: changes: [^\n]*git[^\n]*\n$/u);
  });

  /** Installs packages, as npm does, that all have the same program. */
  const npm = async (line: string): Promise<string> => {
    const main = path.join(programs.path, 'main');
    await writeFile(main, `#!/bin/sh\necho "$PATH" > '${folder.path}/path'\n${line}\n`, { mode: 0o755 });
    return program(
      'npm',
      `PATH=/usr/bin:/bin
echo "$*" >> '${folder.path}/words'
while [ "$1" != --prefix ]; do shift; done
home="$2/node_modules/\${4%@*}"
mkdir -p "$home" && cd "$home" || exit 1
echo "{\\"version\\":\\"\${4##*@}\\",\\"bin\\":\\"main\\"}" > package.json
cp '${main}' main
echo '{"packages":{}}' > "$2/node_modules/.package-lock.json"`,
    );
  };

  test.skipIf(isWindows)(
    'a package is installed into a folder of ours, once, in its pinned version, and that is said',
    async () => {
      await npm(agentLine({ prompt: [{ say: 'installed' }] }));
      const run = (): Promise<Finished> => here(['run', '-a', 'gemini', '--format', 'json', 'hello']);
      const lines = toLines((await run()).stdout);
      expect(lines.find(({ type }) => type === 'diagnostic')).toMatchObject({
        code: 'package',
        message: expect.stringMatching(
          /^Gemini CLI is not installed: installing @google\/gemini-cli@\d+\.\d+\.\d+ …$/,
        ),
      });
      expect(lines.at(-1)).toMatchObject({ stopReason: 'end_turn' });
      expect(await readFile(path.join(folder.path, 'words'), 'utf8')).toMatch(
        /^install --ignore-scripts .* --prefix \S+\/home\/packages\/\S+ -- @google\/gemini-cli@\d+\.\d+\.\d+\n$/,
      );
      await program('npm', 'exit 1');
      expect(toLines((await run()).stdout).at(-1)).toMatchObject({ stopReason: 'end_turn' });
    },
  );

  test.skipIf(isWindows)(
    'no program of the project or of a folder above it runs when an agent is started',
    async () => {
      const project = path.join(folder.path, 'above', 'project');
      const bins = [project, path.dirname(project)].map((each) => path.join(each, 'node_modules', '.bin'));
      for (const each of bins) {
        await mkdir(each, { recursive: true });
        for (const name of ['npm', 'npx', 'node', 'sh', 'gemini', 'codex-acp']) {
          const text = `#!/bin/sh\necho ${name} >> '${folder.path}/ran'\n`;
          await writeFile(path.join(each, name), text, { mode: 0o755 });
        }
      }
      await npm(agentLine({ prompt: [{ say: 'installed' }] }));
      const { stdout } = await parley(['run', '-a', 'gemini', '--format', 'quiet', 'hello'], {
        cwd: project,
        env: { PARLEY_HOME: home, PATH: [...bins, 'node_modules/.bin', bin].join(path.delimiter) },
      });
      expect(stdout).toBe('installed\n');
      expect(await readFile(path.join(folder.path, 'path'), 'utf8')).toBe(`${bin}\n`);
      await expect(readFile(path.join(folder.path, 'ran'))).rejects.toMatchObject({ code: 'ENOENT' });
    },
  );

  test.skipIf(isWindows).each([[['agents']], [['agents', 'show', 'opencode']], [['doctor']]])(
    'no program of the project runs in %j',
    async (words) => {
      const tools = path.join(folder.path, 'node_modules', '.bin');
      await mkdir(tools, { recursive: true });
      for (const name of ['git', 'node', 'gemini', 'helper']) {
        const text = `#!/bin/sh\necho ${name} >> '${folder.path}/ran'\n`;
        await writeFile(path.join(tools, name), text, { mode: 0o755 });
      }
      // Its own first line looks for what runs it.
      await writeFile(path.join(bin, 'opencode'), '#!/usr/bin/env helper\n', { mode: 0o755 });
      const env = { PARLEY_HOME: home, PATH: [tools, bin].join(path.delimiter) };
      await parley(words, { cwd: folder.path, env });
      await expect(readFile(path.join(folder.path, 'ran'))).rejects.toMatchObject({ code: 'ENOENT' });
    },
  );

  test.skipIf(isWindows)(
    'a bare command of the configuration is never a program that the project has put on PATH',
    async () => {
      const tools = path.join(folder.path, 'node_modules', '.bin');
      await mkdir(tools, { recursive: true });
      await writeFile(path.join(tools, 'mine'), `#!/bin/sh\necho x > '${folder.path}/ran'\n`, {
        mode: 0o755,
      });
      const env = { PARLEY_HOME: home, PATH: [tools, bin].join(path.delimiter) };
      const run = (...words: readonly string[]): Promise<Finished> =>
        parley(['run', '--format', 'quiet', ...words, 'say: hello'], { cwd: folder.path, env });
      await here(['agents', 'add', 'mine', '--', 'mine']);
      await writeFile(
        path.join(folder.path, 'mcp.json'),
        JSON.stringify({ mcpServers: { tools: { command: 'mine', args: [], env: {} } } }),
      );

      for (const words of [
        ['-a', 'mine'],
        ['--mcp-config', 'mcp.json'],
      ]) {
        const { stderr, status } = await run(...words);
        expect(stderr).toContain(`"mine" is only in a folder of the project, ${tools}`);
        expect(status).toBe(2);
      }
      await program('mine', agentLine({ prompt: [{ say: 'the right one' }] }));
      expect((await run('-a', 'mine')).stdout).toBe('the right one\n');
      await expect(readFile(path.join(folder.path, 'ran'))).rejects.toMatchObject({ code: 'ENOENT' });
    },
  );

  test.each([
    [
      'goose',
      'parley: goose cannot be started: goose is not on PATH; install it (https://block.github.io/goose/)\n',
    ],
    [
      'gemini',
      'parley: Gemini CLI cannot be started: gemini is not on PATH, and neither is npm, which could install it (https://geminicli.com)\n',
    ],
    ['pi', 'parley: pi cannot be started: it needs pi on PATH (https://github.com/svkozak/pi-acp)\n'],
    ['nobody', 'parley: no agent "nobody"; "parley agents" lists the available agents\n'],
  ])('%s that cannot be started is reported in one line', async (name, message) => {
    await rm(home, { recursive: true, force: true });
    const { stderr, status } = await here(['run', '-a', name, 'hello']);
    expect(stderr).toBe(message);
    expect(status).toBe(2);
  });
});

describe('probe', () => {
  const probed = async (script: object, ...flags: readonly string[]): Promise<Finished> => {
    await here(['agents', 'add', 'mine', '--', ...scripted(script)]);
    return here(['agents', 'probe', 'mine', ...flags]);
  };
  const authMethods = [{ id: 'login', name: 'Log in', description: 'In a browser.' }];
  const offers = {
    initialize: {
      agentInfo: { name: 'mine', title: 'My Agent', version: '4.5.6' },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true },
        mcpCapabilities: { http: true },
        sessionCapabilities: { list: {}, resume: {} },
      },
      authMethods,
    },
    session: {
      modes: {
        currentModeId: 'ask',
        availableModes: [
          { id: 'ask', name: 'Ask' },
          { id: 'code', name: 'Code' },
        ],
      },
      configOptions: [
        { id: 'fast', name: 'Fast', type: 'boolean', currentValue: false },
        {
          id: 'effort',
          name: 'Effort',
          type: 'select',
          currentValue: 'low',
          options: [
            { value: 'low', name: 'Low' },
            { value: 'high', name: 'High' },
          ],
        },
      ],
    },
  };

  test('prints what an agent and its sessions offer', async () => {
    const { stdout, stderr, status } = await probed(offers);
    expect(stdout).toMatch(/^My Agent 4\.5\.6 \(mine\)\n/);
    for (const line of [
      /^protocol +version 1$/m,
      /^start +\d+\.\d\d s to initialize, \d+\.\d\d s to open a session$/m,
      /^sandbox +off: its hosts and state folders are not known$/m,
      /^sign in +not needed now; ways: login \(Log in\)$/m,
      /^prompts +text, images$/m,
      /^sessions +new, load, list, resume$/m,
      /^MCP +stdio, http$/m,
      /^modes +ask \*, code$/m,
      /^--set fast +true, false \*$/m,
      /^--set effort +low \*, high$/m,
    ]) {
      expect(stdout).toMatch(line);
    }
    expect([stderr, status]).toEqual(['', 0]);
  });

  test('prints the account and the model providers that an agent reports; an agent that refuses reports none', async () => {
    await here(['agents', 'add', 'mine', '--', ...unstableAgent('has')]);
    const { stdout, status } = await here(['agents', 'probe', 'mine']);
    expect(stdout).toMatch(/^sign in +signed in; ways: login/m);
    expect(stdout).toMatch(/^account +Claude Max, ada@example\.com \*$/m);
    expect(stdout).toMatch(
      /^provider +main: anthropic at https:\/\/api\.anthropic\.com; APIs: anthropic, bedrock$/m,
    );
    expect(status).toBe(0);
    const json = JSON.parse((await here(['agents', 'probe', 'mine', '--json'])).stdout) as object;
    expect(json).toMatchObject({
      authStatus: { state: 'authenticated' },
      providers: [{ providerId: 'main' }],
    });
    await here(['agents', 'add', 'other', '--', ...unstableAgent('refuses')]);
    const refused = await here(['agents', 'probe', 'other']);
    expect(refused.stdout).toMatch(/^sign in +not needed now/m);
    expect(refused.stdout).not.toMatch(/^(?:account|provider) /m);
  });

  test('--json is the same as one document, with the values as the agent sent them', async () => {
    const { stdout } = await probed(offers, '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      name: 'mine',
      agent: { version: '4.5.6' },
      protocolVersion: 1,
      startMs: expect.any(Number),
      capabilities: offers.initialize.agentCapabilities,
      authMethods: [{ ...authMethods[0], type: 'agent' }],
      session: { state: 'opened', openMs: expect.any(Number), ...offers.session },
      diagnostics: {},
    });
  });

  test.skipIf(engine.name === 'none')(
    'an agent whose hosts or state folders are known runs in a sandbox, unless it is switched off',
    async () => {
      const [command, ...args] = scripted({
        ...offers,
        errors: { 'session/new': { code: -32603, message: 'no' } },
      });
      const agents = { mine: { command, args, sandbox: { network: ['example.com'] } } };
      await mkdir(home);
      await writeFile(path.join(home, 'config.json'), JSON.stringify({ agents }));
      const probe = (...flags: readonly string[]): Promise<Finished> =>
        parley(['agents', 'probe', 'mine', ...flags], { cwd: folder.path, env: { PARLEY_HOME: home } });

      const held = await probe();
      expect(held.stdout).toContain(`workspace (${engine.name})`);
      expect(held.stderr).toBe('parley: mine ran in a sandbox; probe it without one: --sandbox off\n');
      const off = await probe('--sandbox', 'off', '--json');
      expect(JSON.parse(off.stdout)).toMatchObject({ sandbox: { mode: 'off', reason: 'flag' } });
      expect([off.stderr, off.status]).toEqual(['', 0]);
    },
  );

  test('an agent that requires a sign-in is shown, and is not signed in', async () => {
    const log = path.join(folder.path, 'log');
    const refusal = { code: -32000, message: 'Authentication required' };
    const script = { initialize: { authMethods }, errors: { 'session/new': refusal } };
    await here(['agents', 'add', 'mine', '--', ...scripted(script)]);
    const { stdout, status } = await parley(['agents', 'probe', 'mine'], {
      cwd: folder.path,
      env: { PARLEY_HOME: home, SCRIPTED_LOG: log },
    });
    expect(stdout).toMatch(/^sign in +needed; ways: login \(Log in\)$/m);
    expect(stdout).toMatch(/^session +none without signing in$/m);
    expect(status).toBe(0);
    const methods = (await readFile(log, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { readonly method: string }).method);
    expect(methods).toEqual(['initialize', 'session/new']);
  });

  test('a session that is refused is reported with its reason', async () => {
    const script = { errors: { 'session/new': { code: -32603, message: 'no model' } } };
    const { stdout, status } = await probed(script);
    expect(stdout).toMatch(/^session +could not be opened: no model$/m);
    expect(status).toBe(0);
  });

  test('a reason in the data of the error is reported too', async () => {
    const error = { code: -32603, message: 'Internal error', data: { details: 'not as root' } };
    const { stdout } = await probed({ errors: { 'session/new': error } });
    expect(stdout).toMatch(/^session +could not be opened: Internal error: not as root$/m);
  });

  test('noise on standard output is counted, an extension notification is not', async () => {
    const status = JSON.stringify({ jsonrpc: '2.0', method: '_auth/status_update', params: {} });
    const { stdout } = await probed({ early: `one\n${status}\ntwo\n` });
    expect(stdout).toMatch(/^warning +stdout-noise: 2 times$/m);
    expect(stdout).not.toContain('ignored-notification');
  });

  test('text from an agent cannot control the terminal', async () => {
    const { stdout } = await probed({
      initialize: { agentInfo: { name: '\u001b]0;x\u0007a\nb', version: '1' } },
    });
    expect(stdout).toMatch(/^a b 1 \(mine\)\n/);
  });

  test('an agent that does not start, or never responds, is reported in time', async () => {
    await here(['agents', 'add', 'gone', '--', 'no-such-program']);
    const gone = await here(['agents', 'probe', 'gone']);
    expect(gone.stderr).toContain('command not found');
    expect(gone.status).toBe(1);
    const silent = await probed({ silent: ['initialize'] }, '--timeout', '0.3');
    expect(silent.stderr).toBe('parley: mine took longer than 0.3 s: no answer to initialize\n');
    expect(silent.status).toBe(124);
  });

  test('the card of an agent that opens no session in time says so', async () => {
    await here(['agents', 'add', 'mine', '--', ...scripted({ silent: ['session/new'], log: 'no disk\n' })]);
    const written = (await configuration()) as object;
    const limits = { openSeconds: 0.3 };
    await writeFile(path.join(home, 'config.json'), JSON.stringify({ ...written, limits }));
    const { stdout, stderr } = await here(['agents', 'probe', 'mine']);
    expect(stdout).toMatch(
      /^session +could not be opened: while opening a session: session\/new: no answer/m,
    );
    expect(stderr).toContain('parley: | no disk\n');
  });

  test('the built-in agent has a card too, and needs no sign-in', async () => {
    const { stdout, status } = await here(['agents', 'probe', 'parley']);
    expect(stdout).toMatch(/^Parley \d+\.\d+\.\d+ \(parley\)\n/);
    expect(stdout).toMatch(/^modes +confirm \*/m);
    expect(status).toBe(0);
  });
});
