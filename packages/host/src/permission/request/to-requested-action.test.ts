import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ToolCallUpdate, ToolKind } from '@parley/acp';
import { openFiles } from '@parley/workspace';
import { describe, expect, onTestFinished, test } from 'vitest';
import { leftOut } from '../../agent/shallow-transport.ts';
import { subjectOf } from './permission-subject.ts';
import { hashOf } from './requested-content.ts';
import { toRequestedAction, type SeenAction } from './to-requested-action.ts';

async function project(): Promise<string> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'parley-action-')));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

async function seen(call: Omit<ToolCallUpdate, 'toolCallId'>, cwd: string): Promise<SeenAction> {
  return toRequestedAction({ toolCallId: 'a', ...call }, { files: await openFiles({ cwd }) });
}

const text = (words: string) => ({ type: 'content', content: { type: 'text', text: words } }) as const;
const diff = (path: string, newText: string, oldText?: string) =>
  ({ type: 'diff', path, newText, ...(oldText !== undefined && { oldText }) }) as const;

test("a call's files come from its diffs, locations and input, absolute and without duplicates", async () => {
  const cwd = await project();

  const { action } = await seen(
    {
      kind: 'edit',
      content: [diff(join(cwd, 'a'), ''), text('/not-me')],
      locations: [{ path: join(cwd, 'a') }, { path: 'b' }],
      rawInput: { file_path: 'c', paths: ['d', 'e'], text: '/not-me-either' },
    },
    cwd,
  );

  expect(action.files.map(({ path }) => path)).toEqual(
    ['a', 'b', 'c', 'd', 'e'].map((name) => join(cwd, name)),
  );
  expect(action.files.every(({ effect }) => effect === 'write')).toBe(true);
});

test.each<[Omit<ToolCallUpdate, 'toolCallId'>, boolean]>([
  [{ title: 'bash' }, true],
  [{ title: 'bash', kind: 'execute' }, true],
  [{ title: 'bash', kind: 'other', name: 'bash' }, true],
  [{ title: 'bash', kind: 'execute', rawInput: {} }, true],
  [{ title: 'bash', kind: 'execute', rawInput: null, content: [], locations: [] }, true],
  [{ title: 'bash', content: [text(' bash\n')] }, true],
  [{ title: 'bash', content: [text('ls -la')] }, false],
  [{ title: 'bash', kind: 'execute', rawInput: { command: 'ls' } }, false],
  [{ title: 'Now', name: 'mcp__time__now', rawInput: {} }, false],
  [{ title: 'Read', kind: 'read' }, false],
  [{ title: 'Look', locations: [{ path: '/a' }] }, false],
])('%j is opaque: %s', async (call, isOpaque) => {
  const { action } = await seen(call, await project());

  expect(action.isOpaque === true).toBe(isOpaque);
});

test.each(['read', 'search', 'think', 'edit', 'fetch', 'other'] as const)(
  'a call of the kind %s that shows a command counts as one that runs it',
  async (kind) => {
    const { action, otherKinds } = await seen({ kind, rawInput: { command: 'rm x' } }, await project());

    expect(action).toMatchObject({ kind: 'execute', declaredKind: kind });
    expect(otherKinds).toEqual([kind]);
  },
);

test('a call whose input was left out, because it is nested too deeply, counts as one that runs something', async () => {
  const { action } = await seen({ kind: 'read', rawInput: leftOut }, await project());

  expect(action).toMatchObject({ kind: 'execute', declaredKind: 'read' });
});

test.each(['read', 'search', 'think'] as const)(
  'a call of the kind %s that shows a diff counts as an edit',
  async (kind) => {
    const { action } = await seen({ kind, content: [diff('a', 'new')] }, await project());

    expect(action).toMatchObject({ kind: 'edit', declaredKind: kind });
  },
);

test("a declared kind that is stricter than the call's content stays", async () => {
  const { action, otherKinds } = await seen({ kind: 'delete', content: [diff('a', '')] }, await project());

  expect(action.kind).toBe('delete');
  expect(otherKinds).toEqual(['edit']);
});

test('paths outside of the folders are marked, also through links', async () => {
  const cwd = await project();
  await symlink(tmpdir(), join(cwd, 'link'));

  const { action } = await seen(
    { kind: 'read', locations: [{ path: '/etc/shadow' }, { path: 'link/x' }, { path: 'in' }] },
    cwd,
  );

  expect(action.files.map(({ isOutside }) => isOutside === true)).toEqual([true, true, false]);
});

test.each([
  [{ command: 'ls', cwd: 'src' }, 'src'],
  [{ command: 'ls', workdir: 'src' }, 'src'],
  [{ command: 'ls', cwd: 1, directory: 'src' }, 'src'],
  [{ command: 'ls' }, '.'],
])('the command of %j starts in %s, and its folder is no file', async (rawInput, folder) => {
  const cwd = await project();
  await mkdir(join(cwd, 'src'));

  const { action } = await seen({ kind: 'execute', rawInput }, cwd);

  expect(action.command).toMatchObject({ command: 'ls', cwd: join(cwd, folder) });
  expect(action.command).not.toHaveProperty('isOutside');
  expect(action.files).toEqual([]);
});

test('a command that starts outside of the folders is marked', async () => {
  const { action } = await seen({ kind: 'execute', rawInput: { command: 'ls', cwd: '/' } }, await project());

  expect(action.command).toMatchObject({ cwd: '/', isOutside: true });
});

test('the variables in an input are those of the command', async () => {
  const rawInput = { command: 'git status', env: { PATH: './tools' } };

  const call = await seen({ kind: 'execute', rawInput }, await project());

  expect(call.action.command?.env).toEqual([{ name: 'PATH', value: './tools' }]);
  expect(subjectOf(call).variables).toEqual(['PATH']);
});

test.each<[string | undefined, string | undefined, string]>([
  [undefined, undefined, 'new'],
  ['old', undefined, 'new'],
  ['old', 'old', 'new'],
  ['one\ntwo\nthree', 'two', 'one\nnew\nthree'],
  // Where the old text is not, or is several times, the result is unknown.
  ['one', 'two', 'new'],
  ['two two', 'two', 'new'],
])('of %j a diff from %j makes %j', async (present, oldText, whole) => {
  const cwd = await project();
  const file = join(cwd, 'a');
  if (present !== undefined) await writeFile(file, present);

  const { action } = await seen({ kind: 'edit', content: [diff(file, 'new', oldText)] }, cwd);

  expect(action.files[0]?.content?.hash).toBe(hashOf(whole));
});

test('several parts of one file are combined', async () => {
  const cwd = await project();
  const file = join(cwd, 'a');
  await writeFile(file, 'one two three');

  const { action } = await seen(
    { kind: 'edit', content: [diff(file, '1', 'one'), diff(file, '3', 'three')] },
    cwd,
  );

  expect(action.files.map(({ content }) => content)).toEqual([
    { newText: '1', oldText: 'one', isPart: true, hash: hashOf('1 two 3') },
    { newText: '3', oldText: 'three', isPart: true, hash: hashOf('1 two 3') },
  ]);
});

test('text that occurs several times is replaced everywhere on request', async () => {
  const cwd = await project();
  const file = join(cwd, 'a');
  await writeFile(file, 'x y x');

  const { action } = await seen(
    { kind: 'edit', content: [diff(file, 'z', 'x')], rawInput: { file_path: file, replace_all: true } },
    cwd,
  );

  expect(action.files[0]?.content?.hash).toBe(hashOf('z y z'));
});

test('protected files are recognized under each of their names', async () => {
  const cwd = await project();
  await mkdir(join(cwd, '.git'));
  await symlink('.git', join(cwd, 'innocent'));

  const { action } = await seen(
    { kind: 'edit', locations: [{ path: '.env.local' }, { path: 'innocent/config' }, { path: 'src/a' }] },
    cwd,
  );

  expect(action.files.map(({ protection }) => protection)).toEqual(['environment', 'git', undefined]);
});

test('reading asks only for files with keys', async () => {
  const { action } = await seen(
    { kind: 'read', locations: [{ path: '.git/config' }, { path: '.npmrc' }] },
    await project(),
  );

  expect(action.files.map(({ protection }) => protection)).toEqual([undefined, 'package-manager']);
});

test.each(['delete', 'move'] as const)(
  'a folder that holds a protected file is protected from %s',
  async (kind) => {
    const cwd = await project();
    await mkdir(join(cwd, 'packages', 'one', '.husky'), { recursive: true });
    await mkdir(join(cwd, 'src'));

    const { action } = await seen(
      { kind, locations: [{ path: 'packages' }, { path: 'src' }, { path: '.' }] },
      cwd,
    );

    expect(action.files.map(({ protection }) => protection)).toEqual(['hooks', undefined, 'hooks']);
  },
);

test.each([
  ['echo x > .git/hooks/pre-commit', 'git'],
  ['cp evil .git/hooks/pre-commit', 'git'],
  ['cat .env', 'environment'],
  [['tee', '.bashrc'], 'shell-startup'],
  ['git add .husky/pre-commit', undefined],
  ['cat .git/config', undefined],
  ['echo .env', undefined],
])('in the command %j a file is protected: %s', async (command, protection) => {
  const { action } = await seen({ kind: 'execute', rawInput: { command } }, await project());

  expect(action.files.find((file) => file.protection !== undefined)?.protection).toBe(protection);
});

describe('a call is judged by the content of its input, under any name', () => {
  test.each<[object | string, string]>([
    [{ cmd: 'rm -rf x' }, 'execute'],
    [{ Command: 'rm -rf x' }, 'execute'],
    [{ command: { program: 'rm' } }, 'execute'],
    [{ command: ['rm', 1] }, 'execute'],
    [{ script: 'rm -rf x' }, 'execute'],
    [{ commands: ['rm -rf x'] }, 'execute'],
    [{ input: { shell_command: 'rm -rf x' } }, 'execute'],
    [{ url: 'http://169.254.169.254/' }, 'fetch'],
    [{ uri: 'https://example.com/?q=secret' }, 'fetch'],
    [{ path: 'a', offset: 3, limit: 10 }, 'read'],
    [{ padding: Array.from({ length: 3000 }, () => 0), cmd: 'rm -rf x' }, 'execute'],
    [{ pattern: 'command', exec: false }, 'read'],
  ])('a "read" with %j is of the kind %s', async (rawInput, kind) => {
    const { action } = await seen({ kind: 'read', rawInput }, await project());

    expect(action.kind).toBe(kind);
  });

  test('with several addresses, no allow rule for a host applies', async () => {
    const { action } = await seen(
      { kind: 'fetch', rawInput: { url: 'https://allowed.example', uri: 'https://other.example' } },
      await project(),
    );

    expect(action.address).toBeUndefined();
  });

  test.each<[ToolKind, object | string]>([
    ['read', { filename: '/etc/shadow' }],
    ['read', { target: '/etc/shadow' }],
    ['read', { uri: 'file:///etc/shadow' }],
    ['read', { path: '~/.ssh/id_rsa' }],
    ['read', { files: [{ path: '/etc/shadow' }] }],
    ['read', '/etc/shadow'],
    ['search', { folder: '../elsewhere' }],
    ['edit', { changes: { '/etc/passwd': { type: 'update' } } }],
  ])('a file outside is seen in %s %j', async (kind, rawInput) => {
    const subject = subjectOf(await seen({ kind, rawInput }, await project()));

    expect(subject.outside).toHaveLength(1);
  });

  test.each<[ToolKind, object]>([
    ['move', { src: 'a', dst: '.git/config' }],
    ['move', { oldPath: 'a', newPath: '.git/config' }],
    ['edit', { changes: { './.git/config': {} } }],
    ['edit', { patch: '*** Begin Patch\n*** Update File: .git/config\n@@\n-a\n+b\n' }],
    ['edit', { diff: '--- a/.git/config\n+++ b/.git/config\n@@ -1 +1 @@\n' }],
    ['read', { filename: '.env' }],
  ])('a protected file is seen in %s %j', async (kind, rawInput) => {
    const subject = subjectOf(await seen({ kind, rawInput }, await project()));

    expect(subject.protectedFile).toBeDefined();
  });

  test('an existing file in any field belongs to the call, and rules apply to it', async () => {
    const cwd = await project();
    await writeFile(join(cwd, 'secret.txt'), '');

    const { paths } = await seen({ kind: 'read', rawInput: { filename: 'secret.txt' } }, cwd);

    expect(paths).toEqual([join(cwd, 'secret.txt')]);
  });

  test('patterns, texts and words are not files', async () => {
    const rawInput = {
      path: 'a',
      pattern: '/api/v1',
      query: '~/x',
      content: '/etc/shadow',
      old_string: '../x',
      description: '/etc/shadow',
      mode: 'content',
      lines: '1-20',
      note: '.env',
    };
    const cwd = await project();

    const { paths } = await seen({ kind: 'search', rawInput }, cwd);

    expect(paths).toEqual([join(cwd, 'a')]);
  });
});
