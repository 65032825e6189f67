import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionUpdate } from '@parley/acp';
import type { ConfiguredRule } from '@parley/workspace/rule';
import { describe, expect, test } from 'vitest';
import { scriptedModel } from './scripted-model.ts';
import { courses, openStage, refused, said, succeeded, toolUpdates } from './stage.ts';

const select = (optionId: string) => () => ({ outcome: 'selected', optionId }) as const;

const rules =
  (...list: readonly ConfiguredRule[]) =>
  (): Promise<readonly ConfiguredRule[]> =>
    Promise.resolve(list);

/** What was said about the permission of each call, by the last update that says it. */
function permissionMetas(updates: readonly SessionUpdate[]): unknown[] {
  return toolUpdates(updates).flatMap(({ _meta }) => _meta?.['parley/permission'] ?? []);
}

describe('rules of the configuration', () => {
  test('an allow is not asked about, and is named in the call', async () => {
    const allow: ConfiguredRule = { tool: 'execute', commandPrefix: 'echo', decision: 'allow' };
    await using stage = await openStage({ rules: rules(allow) });
    await stage.prompt('run echo one && echo two\nrun echo one; ls');
    expect(stage.permissions.map(({ toolCall }) => toolCall.rawInput)).toMatchObject([
      { command: 'echo one; ls' },
    ]);
    expect(permissionMetas(stage.updates)).toEqual([
      { decision: 'allow', by: 'rule', rule: 'the rule "allow execute commandPrefix "echo""' },
    ]);
  });

  test.each(['confirm', 'workspace-write', 'full-access'])(
    'a deny holds in %s, and says why',
    async (modeId) => {
      const deny: ConfiguredRule = { tool: 'edit', path: '**/*.key', decision: 'deny' };
      await using stage = await openStage({ rules: rules(deny) });
      await stage.agent.request('session/set_mode', { sessionId: stage.sessionId, modeId });
      await stage.prompt('write a/b.key: x');
      expect(stage.permissions).toEqual([]);
      expect(courses(stage.updates)).toEqual([refused]);
      expect(permissionMetas(stage.updates)).toEqual([
        { decision: 'deny', by: 'rule', rule: 'the rule "deny edit path "**/*.key""' },
      ]);
      expect(said(stage.updates).at(-1)).toContain('the rule "deny edit path "**/*.key"" applies');
    },
  );

  test('a deny rule applies to reading, and to the target of a link', async () => {
    const deny: ConfiguredRule = { tool: 'read', path: 'secret', decision: 'deny' };
    await using stage = await openStage({ rules: rules(deny) });
    await mkdir(join(stage.directory, 'secret'));
    await writeFile(join(stage.directory, 'secret', 'a'), 'hidden');
    await symlink('secret/a', join(stage.directory, 'link'));
    await stage.prompt('read secret/a\nread link\nlist .');
    expect(courses(stage.updates)).toEqual([refused, refused, succeeded]);
    expect(JSON.stringify(stage.updates)).not.toContain('hidden');
  });

  test('a deny rule applies to what a prompt mentions or links to: nothing of it reaches the model', async () => {
    const deny: ConfiguredRule = { tool: 'read', path: 'secret', decision: 'deny' };
    const model = scriptedModel();
    await using stage = await openStage({ rules: rules(deny), model });
    await mkdir(join(stage.directory, 'secret'));
    await writeFile(join(stage.directory, 'secret', 'a'), 'hidden');
    await symlink('secret/a', join(stage.directory, 'link'));
    const { sessionId } = stage;
    await stage.agent.request('session/prompt', {
      sessionId,
      prompt: [
        { type: 'text', text: 'look at @secret/a and @link' },
        { type: 'resource_link', name: 'a', uri: `file://${stage.directory}/secret/a#L1` },
      ],
    });
    expect(courses(stage.updates)).toEqual([refused, refused, refused]);
    expect(JSON.stringify(stage.updates)).not.toContain('hidden');
    expect(JSON.stringify(model.requests)).toContain('secret/a');
    expect(JSON.stringify(model.requests)).not.toContain('hidden');
  });

  test('an ask asks about reading, and a remembered answer is one to that rule', async () => {
    const ask: ConfiguredRule = { tool: 'read', path: 'notes', decision: 'ask' };
    await using stage = await openStage({ rules: rules(ask), onPermission: select('allow_always') });
    await mkdir(join(stage.directory, 'notes'));
    await writeFile(join(stage.directory, 'notes', 'a'), 'x');
    await stage.prompt('read notes/a\nread notes/a');
    expect(stage.permissions).toHaveLength(1);
    expect(stage.permissions[0]?.options[1]?.name).toBe(
      'Allow reading of files in notes/, until the session ends',
    );
  });

  test.each(['deny', 'ask'] as const)(
    'a search leaves out what a rule would %s to read',
    async (decision) => {
      const rule: ConfiguredRule = { tool: 'read', path: 'secret', decision };
      await using stage = await openStage({ rules: rules(rule) });
      await mkdir(join(stage.directory, 'secret'));
      await writeFile(join(stage.directory, 'secret', 'a'), 'key hidden');
      await writeFile(join(stage.directory, 'b'), 'key shown');
      await stage.prompt('search key\nsearch hidden');
      expect(courses(stage.updates)).toEqual([succeeded, succeeded]);
      expect(JSON.stringify(stage.updates)).toContain('key shown');
      expect(JSON.stringify(stage.updates)).not.toContain('key hidden');
      expect(JSON.stringify(stage.updates)).toContain('Files that rules protect are not searched');
      expect(stage.permissions).toEqual([]);
    },
  );

  test('a listing and a search by name leave out what a rule denies, and say how much', async () => {
    const deny: ConfiguredRule = { tool: 'read', path: 'secret', decision: 'deny' };
    await using stage = await openStage({ rules: rules(deny) });
    await mkdir(join(stage.directory, 'secret'));
    await writeFile(join(stage.directory, 'secret', 'hidden.txt'), '');
    await writeFile(join(stage.directory, 'shown.txt'), '');
    await stage.prompt('list .\ncall glob {"pattern":"**/*.txt"}\nlist secret');
    expect(courses(stage.updates)).toEqual([succeeded, succeeded, refused]);
    const seen = JSON.stringify(stage.updates);
    expect(seen).toContain('shown.txt');
    expect(seen).not.toContain('hidden');
    expect(seen).toContain('[1 entries are left out: rules protect them]');
    expect(seen).toContain('[1 files are left out: rules protect them]');
  });

  test.each(['deny', 'ask'] as const)(
    'instructions of a project that a rule would %s to read are not used, which is reported',
    async (decision) => {
      const rule: ConfiguredRule = { tool: 'read', path: 'AGENTS.md', decision };
      await using stage = await openStage({ rules: rules(rule) });
      await writeFile(join(stage.directory, 'AGENTS.md'), 'Speak French.');
      await stage.prompt('say: hi');
      const seen = JSON.stringify(stage.updates);
      expect(seen).toContain('AGENTS.md is not used');
      expect(seen).not.toContain('French');
    },
  );

  test('what a rule denies to read is not edited or moved either, and may be written anew', async () => {
    const deny: ConfiguredRule = { tool: 'read', path: 'secret', decision: 'deny' };
    await using stage = await openStage({ rules: rules(deny) });
    await writeFile(join(stage.directory, 'secret'), 'a');
    await stage.agent.request('session/set_mode', { sessionId: stage.sessionId, modeId: 'full-access' });
    await stage.prompt(
      'call move {"from":"secret","to":"open"}\ncall edit {"path":"secret","oldText":"a","newText":"b"}\nwrite secret: c',
    );
    expect(courses(stage.updates)).toEqual([refused, refused, succeeded]);
    expect(await readFile(join(stage.directory, 'secret'), 'utf8')).toBe('c');
  });

  test('a search that was asked about finds what reading would ask about', async () => {
    const rule: ConfiguredRule = { tool: '*', path: 'notes', decision: 'ask' };
    await using stage = await openStage({ rules: rules(rule) });
    await mkdir(join(stage.directory, 'notes'));
    await writeFile(join(stage.directory, 'notes', 'a'), 'key shown');
    await stage.prompt('search key in notes');
    expect(stage.permissions).toHaveLength(1);
    expect(JSON.stringify(stage.updates)).toContain('key shown');
  });

  test('full access refuses a command that a deny rule may mean', async () => {
    const deny: ConfiguredRule = { tool: 'execute', commandPrefix: 'rm', decision: 'deny' };
    await using stage = await openStage({ rules: rules(deny) });
    await stage.agent.request('session/set_mode', { sessionId: stage.sessionId, modeId: 'full-access' });
    await stage.prompt('run $TOOL x\nrun echo x');
    expect(stage.permissions).toEqual([]);
    expect(courses(stage.updates)).toEqual([refused, succeeded]);
    expect(permissionMetas(stage.updates)).toMatchObject([
      { decision: 'deny', by: 'rule' },
      { decision: 'allow', by: 'mode', mode: 'full-access' },
    ]);
  });

  test('a patch is held to the files it names', async () => {
    const deny: ConfiguredRule = { tool: 'edit', path: 'b', decision: 'deny' };
    await using stage = await openStage({ rules: rules(deny) });
    const patch = '--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+x\n--- /dev/null\n+++ b/b\n@@ -0,0 +1 @@\n+x\n';
    await stage.prompt(`call patch ${JSON.stringify({ patch })}`);
    expect(courses(stage.updates)).toEqual([refused]);
    expect(await readdir(stage.directory)).toEqual([]);
  });

  test('the rules are those of the directory of the session', async () => {
    const asked: string[] = [];
    await using stage = await openStage({
      rules: (cwd) => {
        asked.push(cwd);
        return Promise.resolve([]);
      },
    });
    expect(asked).toEqual([stage.directory]);
  });

  test('a session whose rules cannot be read is refused', async () => {
    await using stage = await openStage({
      first: false,
      rules: () => Promise.reject(new Error('config.json:1:2: not valid JSON')),
    });
    await expect(stage.openSession()).rejects.toMatchObject({
      code: -32603,
      message: `The rules for ${stage.directory} cannot be read: config.json:1:2: not valid JSON`,
    });
  });
});

describe('remembered answers', () => {
  test('cover what the option says, and are named in the calls they decide', async () => {
    await using stage = await openStage({ onPermission: select('allow_always') });
    await stage.prompt(
      'run git status\nrun git status --short\nwrite src/a: x\nwrite src/b/c: x\nwrite top: x',
    );
    expect(stage.permissions.map(({ options }) => options[1]?.name)).toEqual([
      'Allow commands that begin with `git status`, until the session ends',
      'Allow changes of files in src/, until the session ends',
      'Allow changes of files directly in the working directory, until the session ends',
    ]);
    expect(permissionMetas(stage.updates)).toEqual([
      { decision: 'allow', by: 'session', rule: 'the rule "allow execute commandPrefix "git status""' },
      { decision: 'allow', by: 'session', rule: 'the rule "allow edit path "src""' },
    ]);
  });

  test('what a mode decides is named too, and reading is not', async () => {
    await using stage = await openStage();
    const { sessionId } = stage;
    await stage.agent.request('session/set_mode', { sessionId, modeId: 'workspace-write' });
    await stage.prompt('write a: x\nread a');
    await stage.agent.request('session/set_mode', { sessionId, modeId: 'read-only' });
    await stage.prompt('write a: y');
    expect(permissionMetas(stage.updates)).toEqual([
      { decision: 'allow', by: 'mode', mode: 'workspace-write' },
      { decision: 'deny', by: 'mode', mode: 'read-only' },
    ]);
  });
});

describe('/permissions', () => {
  test('lists whose rule each is, and takes back answers by number', async () => {
    const configured = rules(
      { tool: 'edit', path: 'secret', decision: 'deny', origin: 'project' },
      { tool: 'fetch', decision: 'ask' },
    );
    await using stage = await openStage({ rules: configured, onPermission: select('allow_always') });
    await stage.prompt('run git status\nwrite src/a: x');
    await stage.prompt('/permissions');
    expect(said(stage.updates).at(-1)).toBe(
      [
        '- From the project: the rule "deny edit path "secret""',
        '- From the user: the rule "ask fetch"',
        '- Your answer 1: the rule "allow execute commandPrefix "git status""',
        '- Your answer 2: the rule "allow edit path "src""',
      ].join('\n'),
    );
    await stage.prompt('/permissions revoke 1');
    expect(said(stage.updates).at(-1)).toBe('Answer 1 was revoked.');
    await stage.prompt('run git status\nwrite src/a: y');
    expect(stage.permissions.map(({ toolCall }) => toolCall.kind)).toEqual(['execute', 'edit', 'execute']);
    await stage.prompt('/permissions revoke all');
    expect(said(stage.updates).at(-1)).toBe('2 answers were revoked.');
  });

  test.each(['revoke', 'revoke 7', 'revoke x', 'forget 1'])(
    '%s does nothing, and says so',
    async (argument) => {
      await using stage = await openStage();
      await stage.prompt(`/permissions ${argument}`);
      expect(said(stage.updates).at(-1)).toContain('nothing was done');
    },
  );

  test('without rules it says so', async () => {
    await using stage = await openStage();
    await stage.prompt('/permissions');
    expect(said(stage.updates)).toEqual([
      'The agent was given no rules, and no answers are remembered: the mode decides.',
    ]);
  });
});
