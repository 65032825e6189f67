import { expect, test } from 'vitest';
import { optionsForOnce, permissionOptions, toChosenOption } from './permission-options.ts';

test('there are four options, each named by its kind', () => {
  const options = permissionOptions([{ tool: 'execute', command: 'ls' }]);
  expect(options.map(({ kind }) => kind)).toEqual([
    'allow_once',
    'allow_always',
    'reject_once',
    'reject_always',
  ]);
  for (const { optionId, kind } of options) expect(optionId).toBe(kind);
});

test.each([
  [[{ tool: 'execute', command: 'ls' }], 'exactly this command'],
  [[{ tool: 'execute', commandPrefix: 'git status' }], 'commands that begin with `git status`'],
  [[{ tool: 'edit', path: 'src/permission' }], 'changes of files in src/permission/'],
  [[{ tool: 'edit', path: '*' }], 'changes of files directly in the working directory'],
  [[{ tool: 'edit', path: '/other/*' }], 'changes of files directly in /other/'],
  [[{ tool: 'edit', path: 'app/[[]id]/**' }], 'changes of files in app/[id]/'],
  [
    [
      { tool: 'edit', path: 'src' },
      { tool: 'edit', path: 'docs' },
    ],
    'changes of files in src/ and in docs/',
  ],
  [[{ tool: 'delete', path: 'src' }], 'deleting of files and empty folders in src/'],
  [[{ tool: 'move', path: 'src' }], 'moving of files and folders in src/'],
  [[{ tool: 'read', path: 'src' }], 'reading of files in src/'],
  [[{ tool: 'search', path: '.' }], 'searching in the working directory'],
  [[{ tool: 'fetch', host: 'example.com' }], 'fetching from example.com'],
  [[{ tool: 'mcp__a__b' }], 'all calls of mcp__a__b'],
])('the name of an "always" option about %j says how far it reaches', (scopes, text) => {
  const [, allow, , reject] = permissionOptions(scopes);
  expect(allow?.name).toBe(`Allow ${text}, until the session ends`);
  expect(reject?.name).toBe(`Reject ${text}, until the session ends`);
});

const offered = permissionOptions([{ tool: 'execute', command: 'ls' }]);

test('a known option is the answer', () => {
  expect(toChosenOption({ outcome: 'selected', optionId: 'allow_always' }, offered)).toBe('allow_always');
});

test('an option that was not offered and a cancel are not a permission', () => {
  const always = { outcome: 'selected', optionId: 'allow_always' } as const;
  expect(toChosenOption({ outcome: 'selected', optionId: 'allow' }, offered)).toBe('no-answer');
  expect(toChosenOption(always, optionsForOnce)).toBe('no-answer');
  expect(toChosenOption({ outcome: 'cancelled' }, offered)).toBe('no-answer');
});
