import type { PermissionOption, PermissionOptionKind } from '@parley/acp';
import { expect, test } from 'vitest';
import { chooseOption } from './choose-option.ts';

function option(optionId: string, kind: PermissionOptionKind): PermissionOption {
  return { optionId, name: optionId, kind };
}

test('a "once" option is preferred over "always", in any order', () => {
  const options = [
    option('always', 'allow_always'),
    option('once', 'allow_once'),
    option('never', 'reject_always'),
    option('no', 'reject_once'),
  ];

  expect(chooseOption(options, 'allow')?.optionId).toBe('once');
  expect(chooseOption(options, 'reject')?.optionId).toBe('no');
});

test('"always" is chosen only if there is no "once"', () => {
  const options = [option('always', 'allow_always'), option('never', 'reject_always')];

  expect(chooseOption(options, 'allow')?.optionId).toBe('always');
  expect(chooseOption(options, 'reject')?.optionId).toBe('never');
});

test('without an option of the requested kind none is chosen', () => {
  expect(chooseOption([option('once', 'allow_once')], 'reject')).toBeUndefined();
  expect(chooseOption([], 'allow')).toBeUndefined();
});

test('the first of several options of one kind is chosen', () => {
  const options = [option('this-file', 'allow_once'), option('this-folder', 'allow_once')];

  expect(chooseOption(options, 'allow')?.optionId).toBe('this-file');
});
