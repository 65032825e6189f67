import { textMark, type FoundProgram } from '@parley/workspace';
import { expect, test } from 'vitest';
import { createGrants } from './grants.ts';
import type { RequestedAction, RequestedCommand } from './request/requested-action.ts';
import { hashOf } from './request/requested-content.ts';
import type { SeenAction } from './request/to-requested-action.ts';

const path = '/project/a';

function edit(
  newText: string,
  { kind = 'edit', before = 'none' }: Partial<{ kind: RequestedAction['kind']; before: string }> = {},
): SeenAction {
  const content = { newText, hash: hashOf(newText) };
  return {
    action: { kind, files: [{ path, effect: 'write', content }], texts: [] },
    paths: [path],
    otherKinds: [],
    seen: new Map([[path, { path, mark: before }]]),
  };
}

const npm: FoundProgram = { found: '/bin/npm', realPath: '/bin/npm', isOfProject: false, mark: '1' };

/** What may be other than in what was granted. */
interface Circumstances {
  readonly env?: RequestedCommand['env'];
  readonly cwd?: string;
  readonly program?: FoundProgram;
  readonly folderMark?: string;
}

function command(
  words: RequestedCommand['command'],
  { env = [], cwd = '/project', program = npm, folderMark = '1' }: Circumstances = {},
): SeenAction {
  return {
    action: { kind: 'execute', command: { command: words, cwd, env }, files: [], texts: [] },
    paths: [],
    otherKinds: [],
    named: program,
    folderMark,
    seen: new Map(),
  };
}

test('an approval covers writing the shown text any number of times', () => {
  const grants = createGrants();
  grants.add('call', edit('new'), false);

  expect(grants.forWrite({ path, mark: 'none' }, 'new')).toBe('call');
  expect(grants.forWrite({ path, mark: textMark('new') }, 'new')).toBe('call');
});

test('another text, another file, and a file that changed since are not covered', () => {
  const grants = createGrants();
  grants.add('call', edit('new'), false);

  expect(grants.forWrite({ path, mark: 'none' }, 'other')).toBeUndefined();
  expect(grants.forWrite({ path: '/project/b', mark: 'none' }, 'new')).toBeUndefined();
  expect(grants.forWrite({ path, mark: textMark('changed') }, 'new')).toBeUndefined();
});

test('a call that showed no text covers no write', () => {
  const grants = createGrants();
  const shown = edit('new');
  const files = [{ path, effect: 'write' }] as const;
  grants.add('call', { ...shown, action: { ...shown.action, files } }, true);

  expect(grants.forWrite({ path, mark: 'none' }, 'new')).toBeUndefined();
});

test.each(['execute', 'delete', 'fetch'] as const)('a call granted as %s covers no write', (kind) => {
  const grants = createGrants();
  grants.add('call', edit('new', { kind }), false);

  expect(grants.forWrite({ path, mark: 'none' }, 'new')).toBeUndefined();
});

test('an approved command may start once', () => {
  const grants = createGrants();
  grants.add('call', command('npm test'), false);

  expect(grants.takeCommand(command('npm run deploy'))).toBeUndefined();
  expect(grants.takeCommand(command(['npm', 'test']))).toBe('call');
  expect(grants.takeCommand(command('npm test'))).toBeUndefined();
});

test.each<[string, SeenAction]>([
  ['folder', command('npm test', { cwd: '/project/other' })],
  ['folder in the same place', command('npm test', { folderMark: '2' })],
  ['program', command('npm test', { program: { ...npm, realPath: '/project/npm' } })],
  ['content of the program', command('npm test', { program: { ...npm, mark: '2' } })],
  ['variable', command('npm test', { env: [{ name: 'PATH', value: './tools' }] })],
])('a grant is not for another %s', (_what, other) => {
  const grants = createGrants();
  grants.add('call', command('npm test'), true);

  expect(grants.takeCommand(other)).toBeUndefined();
  expect(grants.takeCommand(command('npm test'))).toBe('call');
});

test('variables must be those that were shown, except harmless ones', () => {
  const grants = createGrants();
  const env = [{ name: 'GIT_DIR', value: 'a' }];
  grants.add('call', command('git status', { env }), true);

  expect(grants.takeCommand(command('git status'))).toBeUndefined();
  expect(
    grants.takeCommand(command('git status', { env: [{ name: 'GIT_DIR', value: 'b' }] })),
  ).toBeUndefined();
  expect(grants.takeCommand(command('git status', { env: [...env, { name: 'NO_COLOR', value: '1' }] }))).toBe(
    'call',
  );
});

test('an "always" approval applies to the session, and to the same action only', () => {
  const grants = createGrants();
  grants.add('call', command('npm test'), true);
  grants.takeCommand(command('npm test'));
  grants.endCall('call');
  grants.endTurn();

  expect(grants.takeCommand(command('npm test'))).toBe('call');
  expect(grants.takeCommand(command('npm run deploy'))).toBeUndefined();
});

test('an approval ends with its call, and with its turn', () => {
  const grants = createGrants();
  grants.add('first', edit('one'), false);
  grants.add('second', edit('two'), false);

  grants.endCall('first');
  expect(grants.forWrite({ path, mark: 'none' }, 'one')).toBeUndefined();
  expect(grants.forWrite({ path, mark: 'none' }, 'two')).toBe('second');

  grants.endTurn();
  expect(grants.forWrite({ path, mark: 'none' }, 'two')).toBeUndefined();
});
