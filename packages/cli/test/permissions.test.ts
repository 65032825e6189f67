import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parley, scripted, temporaryFolder } from './command.ts';
import { openScreen } from './screen.ts';

/** Writes the project's configuration of a folder. */
async function writeProject(folder: string, configuration: object): Promise<void> {
  await mkdir(path.join(folder, '.parley'), { recursive: true });
  await writeFile(path.join(folder, '.parley', 'config.json'), JSON.stringify(configuration));
}

const says = {
  prompt: [{ update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'hi' } } }],
};

/** A project that brings an agent of its own. */
function bringing(name: string): object {
  const [command, ...args] = scripted(says);
  return { agents: { [name]: { command, args } } };
}

describe('trust', () => {
  test('an agent of a project runs only if the exact content of its file is trusted', async () => {
    await using folder = await temporaryFolder();
    const options = { cwd: folder.path };
    await writeProject(folder.path, bringing('theirs'));

    const before = await parley(['run', '-a', 'theirs', 'go'], options);
    expect(before.status).toBe(2);
    expect(before.stderr).toContain('parley permissions trust');

    const asked = await parley(['permissions', 'trust'], options);
    expect(asked.status).toBe(2);
    expect(asked.stderr).toContain('--yes');

    const trusted = await parley(['permissions', 'trust', '--yes'], options);
    expect(trusted.status).toBe(0);
    expect(trusted.stdout).toContain('agent "theirs": runs');
    expect(trusted.stdout).toContain('scripted.mjs');
    expect(await parley(['run', '-a', 'theirs', 'go'], options)).toMatchObject({ status: 0, stdout: 'hi\n' });
    if (process.platform !== 'win32') {
      expect((await stat(path.join(folder.path, '.home', 'trust.json'))).mode & 0o777).toBe(0o600);
    }

    await writeProject(folder.path, { ...bringing('theirs'), limits: { startSeconds: 50 } });
    expect((await parley(['run', '-a', 'theirs', 'go'], options)).status).toBe(2);
  });

  test('--json prints the files, what each would do, and whether it is trusted', async () => {
    await using folder = await temporaryFolder();
    const options = { cwd: folder.path };
    await writeProject(folder.path, bringing('theirs'));
    await writeFile(path.join(folder.path, '.env'), 'MOOD=calm\n');

    const { stdout } = await parley(['permissions', 'trust', '--yes', '--json'], options);
    const revoked = await parley(['permissions', 'revoke', 'all', '--json'], options);

    expect(JSON.parse(stdout)).toEqual({
      files: ['.parley/config.json', '.env'].map((name) => ({
        file: path.join(folder.path, name),
        rights: [expect.any(String)],
        trusted: true,
      })),
    });
    expect(JSON.parse(revoked.stdout)).toEqual({ answers: 0, trusted: 2 });
  });

  test('a project without a file, and one that only narrows rights, need no trust', async () => {
    await using folder = await temporaryFolder();
    const options = { cwd: folder.path };
    expect((await parley(['permissions', 'trust', '--yes'], options)).status).toBe(2);
    await writeProject(folder.path, { permissions: { rules: [{ tool: 'edit', decision: 'deny' }] } });
    expect(await parley(['permissions', 'trust', '--yes'], options)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('needs no trust') as string,
    });
  });

  test.skipIf(process.platform === 'win32')('chat asks on a terminal, once for each content', async () => {
    await using folder = await temporaryFolder();
    await writeProject(folder.path, bringing('theirs'));

    using screen = openScreen(['chat', '-a', 'theirs'], folder.path);
    await screen.shows('agent "theirs": runs');
    await screen.shows('[y/N]: ');
    screen.type('y\n');
    await screen.shows('> ');
    screen.type('/exit\n');
    expect(await screen.exited).toBe(0);
    expect(await readFile(path.join(folder.path, '.home', 'trust.json'), 'utf8')).toContain('config.json');

    using again = openScreen(['chat', '-a', 'theirs'], folder.path);
    await again.shows('> ');
    again.type('/exit\n');
    expect(await again.exited).toBe(0);
    expect(again.text()).not.toContain('Trust this file');
  });
});

test('without a subcommand it lists the subcommands', async () => {
  const { status, stderr } = await parley(['permissions']);
  expect(status).toBe(2);
  expect(stderr).toBe('parley: permissions: expected one of its commands; see parley permissions --help\n');
});

describe('explain', () => {
  const rules = [
    { tool: 'execute', commandPrefix: 'git status', decision: 'allow' },
    { tool: 'edit', path: 'src', decision: 'allow' },
    { tool: 'fetch', host: 'example.com', agent: 'codex', decision: 'deny' },
  ];

  async function explained(folder: string, ...words: string[]): Promise<string> {
    await mkdir(path.join(folder, '.home'), { recursive: true });
    await writeFile(path.join(folder, '.home', 'config.json'), JSON.stringify({ permissions: { rules } }));
    await writeProject(folder, {
      permissions: { rules: [{ tool: 'execute', commandPrefix: 'git push', decision: 'ask' }] },
    });
    const { status, stdout, stderr } = await parley(['permissions', 'explain', ...words], { cwd: folder });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    return stdout;
  }

  test('explain judges a command part by part for each level, and names the source of each rule', async () => {
    await using folder = await temporaryFolder();
    const text = await explained(folder.path, 'git status && git push "a b"');
    expect(text.slice(text.indexOf('\n') + 1)).toBe(`execute: git status && git push "a b"
  Rules that match it:
    the project's rule "ask execute commandPrefix "git push""
    your rule "allow execute commandPrefix "git status""
  Part by part:
    allowed    git status
    asked      git push 'a b'
  What happens:
    on a terminal         asks the user
      the project's rule "ask execute commandPrefix "git push"" applies
    without a terminal    rejected: no user to ask
      the project's rule "ask execute commandPrefix "git push"" applies
    --approve reads       asks the user
      the approval level "reads" does not cover execute
    --approve edits       asks the user
      the approval level "edits" does not cover execute
    --approve all         allowed
      the approval level "all" covers execute
    --approve none        rejected
      the approval level is "none"
`);
  });

  test('explain names the reason why a prefix rule does not cover a command', async () => {
    await using folder = await temporaryFolder();
    const explanation = async (command: string): Promise<string> => {
      const text = await explained(folder.path, command);
      return /do not cover it:\n(?:.*\n)(.*)\n/u.exec(text)?.[1]?.trim() ?? '';
    };
    expect(await explanation('git status --exec=x')).toBe(
      'the option "--exec" in "--exec=x" of "git status" is not known to be harmless',
    );
    expect(await explanation('PATH=. git status')).toBe('the variable "PATH" may change what runs');
    expect(await explanation('git status > out')).toBe('its output is written to "out"');
    expect(await explanation('git status $X')).toBe('"$X" may become an option of "git status"');
    expect(await explanation('git status --short')).toBe('');
  });

  test('explain judges a path for reading and editing, or for the given kind', async () => {
    await using folder = await temporaryFolder();
    const both = await explained(folder.path, './src/a.ts');
    expect(both).toMatch(
      /^read: .*\/src\/a\.ts\n {2}No rule[^]*^edit: .*\n[^]*your rule "allow edit path "src""/mu,
    );
    const gone = await explained(folder.path, '--kind', 'delete', 'src/a.ts');
    expect(gone).toMatch(/^delete: /mu);
    expect(gone).toContain('No rule matches it.');
  });

  test('explain judges a URL for the named agent, and prints one JSON document', async () => {
    await using folder = await temporaryFolder();
    const ask = async (...flags: string[]): Promise<unknown> =>
      JSON.parse(await explained(folder.path, '--json', ...flags, 'https://example.com/x'));
    expect(await ask('--agent', 'codex')).toMatchObject({
      v: 1,
      agent: 'codex',
      explanations: [
        {
          subject: { kind: 'fetch', host: 'example.com' },
          rules: [{ origin: 'user', decision: 'deny' }],
          outcomes: Array.from({ length: 6 }, () => ({ decision: 'reject', by: 'rule' })),
        },
      ],
    });
    expect(await ask()).toMatchObject({ agent: 'parley', explanations: [{ rules: [] }] });
  });

  test('an unquoted command and an unknown kind are wrong usage', async () => {
    expect((await parley(['permissions', 'explain', 'git', 'push'])).status).toBe(2);
    const wrong = await parley(['permissions', 'explain', '--kind', 'sing', 'x']);
    expect(wrong).toMatchObject({ status: 2, stderr: expect.stringContaining('--kind') as string });
  });
});

describe('simulate', () => {
  const toolCall = {
    toolCallId: 't',
    title: 'Push',
    kind: 'execute',
    rawInput: { command: 'git push origin' },
  };
  const options = [
    { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
    { optionId: 'no', name: 'No', kind: 'reject_once' },
  ];
  const ask = { ask: { method: 'session/request_permission', params: { toolCall, options } } };
  const asking = ['run', 'go', '--', ...scripted({ prompt: [ask] })];

  test('simulate judges earlier requests by the current rules, or by those of a file', async () => {
    await using folder = await temporaryFolder();
    const at = { cwd: folder.path };
    const simulate = async (...flags: string[]): Promise<unknown> => {
      const { status, stdout, stderr } = await parley(['permissions', 'simulate', '--json', ...flags], at);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      return JSON.parse(stdout);
    };
    expect(await simulate()).toEqual({ v: 1, changed: [], judged: 0, unjudged: 0, unreadSessions: 0 });
    expect((await parley(asking, at)).status).toBe(3);
    expect(await simulate()).toMatchObject({ changed: [], judged: 1, unjudged: 0 });

    const allow = { tool: 'execute', commandPrefix: 'git push', decision: 'allow' };
    const file = path.join(folder.path, '.home', 'config.json');
    await writeFile(file, JSON.stringify({ permissions: { rules: [allow] } }));
    expect(await simulate()).toMatchObject({
      judged: 1,
      changed: [
        {
          kind: 'execute',
          what: 'git push origin',
          before: { decision: 'reject', by: 'nobody' },
          now: { decision: 'allow', by: 'rule', because: { rules: [{ ...allow, origin: 'user' }] } },
        },
      ],
    });
    expect((await parley(['permissions', 'simulate', '--since', '1h'], at)).stdout).toMatch(
      /execute: git push origin\n {2}then {2}rejected by default: .*\n {2}now {3}allowed: your rule "allow execute commandPrefix "git push"" applies\n\nOf 1 request, 1 would be decided differently\.\n$/u,
    );

    await writeFile(path.join(folder.path, 'list.json'), JSON.stringify([{ ...allow, until: '2020-01-01' }]));
    expect(await simulate('--rules', 'list.json')).toMatchObject({ judged: 1, changed: [] });
    await writeFile(
      path.join(folder.path, 'whole.json'),
      JSON.stringify({ permissions: { rules: [{ ...allow, cwd: '.', decision: 'deny' }] } }),
    );
    expect(await simulate('--rules', 'whole.json')).toMatchObject({
      changed: [{ now: { decision: 'reject' } }],
    });
  });

  test('unreadable rules are a configuration error', async () => {
    await using folder = await temporaryFolder();
    const at = { cwd: folder.path };
    const simulated = async (rules: unknown): Promise<unknown> => {
      await writeFile(path.join(folder.path, 'rules.json'), JSON.stringify(rules));
      return parley(['permissions', 'simulate', '--rules', 'rules.json'], at);
    };
    expect(await simulated({ rules: [] })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('expected a list of rules') as string,
    });
    expect(await simulated([{ tool: 'edit', decision: 'deny', until: 'soon' }])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('[0].until: must be a date') as string,
    });
    expect((await parley(['permissions', 'simulate', '--since', 'yesterday'], at)).status).toBe(2);
  });
});

test('an expired rule is listed as expired and does not apply', async () => {
  await using folder = await temporaryFolder();
  const at = { cwd: folder.path };
  const rules = [
    { tool: 'edit', decision: 'deny', until: '2020-01-01' },
    { tool: 'edit', decision: 'allow', until: '2999-01-01T12:00Z' },
  ];
  await mkdir(path.join(folder.path, '.home'));
  await writeFile(path.join(folder.path, '.home', 'config.json'), JSON.stringify({ permissions: { rules } }));

  const { stdout } = await parley(['permissions', 'list'], at);
  expect(stdout).toContain('your rule "deny edit until "2020-01-01"" (expired)\n');
  expect(stdout).toContain('your rule "allow edit until "2999-01-01T12:00Z""\n');
  const list = await parley(['permissions', 'list', '--json'], at);
  const [ended, holding] = (JSON.parse(list.stdout) as { rules: object[] }).rules;
  expect(ended).toHaveProperty('expired', true);
  expect(holding).not.toHaveProperty('expired');
  const explained = await parley(['permissions', 'explain', '--kind', 'edit', 'a'], at);
  expect(explained.stdout).not.toContain('2020');
  expect(explained.stdout).toContain('2999');
});

describe('remembered answers', () => {
  const toolCall = {
    toolCallId: 't',
    title: 'Push',
    kind: 'execute',
    rawInput: { command: 'git push origin' },
  };
  const options = [
    { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
    { optionId: 'no', name: 'No', kind: 'reject_once' },
  ];
  const asking = [
    process.execPath,
    ...scripted({
      prompt: [{ ask: { method: 'session/request_permission', params: { toolCall, options } } }],
    }).slice(1),
  ];

  test.skipIf(process.platform === 'win32')(
    'what is allowed in a project is not asked again there, is listed and explained, and can be revoked',
    async () => {
      await using folder = await temporaryFolder();
      const at = { cwd: folder.path };
      const chat = ['chat', '--', ...asking];

      using screen = openScreen(chat, folder.path);
      await screen.shows('> ');
      screen.type('go\n');
      await screen.shows('a  Always… commands that begin with "git push"');
      await screen.shows('Enter: no]: ');
      screen.type('a');
      await screen.shows('in this project');
      await screen.shows('Enter: back]: ');
      screen.type('2\r');
      await screen.shows('> ');
      screen.type('go\n');
      await screen.shows('allowed, your answer');
      await screen.shows('> ');
      screen.type('/exit\n');
      expect(await screen.exited).toBe(0);

      const list = await parley(['permissions', 'list', '--json'], at);
      const { answers } = JSON.parse(list.stdout) as { answers: { id: string }[] };
      expect(answers).toMatchObject([
        {
          scope: 'project',
          rule: { tool: 'execute', commandPrefix: 'git push', decision: 'allow', agent: process.execPath },
        },
      ]);
      const id = answers[0]?.id ?? '';
      const shown = (await parley(['permissions', 'list'], at)).stdout;
      expect(shown).toContain(`  ${id}  `);
      expect(shown).toContain('in this project: ');
      const explain = ['permissions', 'explain', '--agent', process.execPath, 'git push'];
      expect((await parley(explain, at)).stdout).toContain(`in this project (${id})`);

      const allowed = await parley(['run', '--format', 'json', 'go', '--', ...asking], at);
      expect(allowed.status).toBe(0);
      expect(allowed.stdout).toContain('"by":"person"');
      expect(await parley(['permissions', 'revoke', id], at)).toMatchObject({
        status: 0,
        stdout: 'Revoked: 1 answer, 0 trusted files.\n',
      });
      expect((await parley(['run', 'go', '--', ...asking], at)).status).toBe(3);
    },
  );

  test('all answers and trust can be revoked at once; an unknown id is wrong usage', async () => {
    await using folder = await temporaryFolder();
    const at = { cwd: folder.path };
    await writeProject(folder.path, bringing('theirs'));
    await parley(['permissions', 'trust', '--yes'], at);

    expect((await parley(['permissions', 'list'], at)).stdout).toContain('Trusted project files:');
    const unknown = await parley(['permissions', 'revoke', 'nothing'], at);
    expect(unknown).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('permissions list') as string,
    });
    expect((await parley(['permissions', 'revoke', 'all'], at)).stdout).toBe(
      'Revoked: 0 answers, 1 trusted file.\n',
    );
    expect((await parley(['run', '-a', 'theirs', 'go'], at)).status).toBe(2);
    const empty = await parley(['permissions', 'list'], at);
    expect(empty.stdout).toBe('No remembered answers, no trusted files and no rules.\n');
  });
});
