import { expect, test } from 'vitest';
import { toPermissionAnswer } from './permission-option.ts';

const once = { optionId: 'once', name: 'Yes', kind: 'allow_once' } as const;
const always = { optionId: 'always', name: 'Always', kind: 'allow_always' } as const;
const no = { optionId: 'no', name: 'No', kind: 'reject_once' } as const;
const never = { optionId: 'never', name: 'Never', kind: 'reject_always' } as const;

test('an approval is for one call, unless that option is missing or another was named', () => {
  expect(toPermissionAnswer({ granted: true }, [always, once, no])).toEqual({
    kind: 'option',
    optionId: 'once',
  });
  expect(toPermissionAnswer({ granted: true }, [always, no])).toEqual({ kind: 'option', optionId: 'always' });
  expect(toPermissionAnswer({ granted: true, optionId: 'always' }, [once, always])).toEqual({
    kind: 'option',
    optionId: 'always',
  });
});

test('a named reject option is not an approval', () => {
  expect(toPermissionAnswer({ granted: true, optionId: 'no' }, [no, once])).toEqual({
    kind: 'option',
    optionId: 'once',
  });
  expect(toPermissionAnswer({ granted: true, optionId: 'no' }, [no])).toEqual({ kind: 'cancel' });
});

test.each(['application', 'disabled'] as const)('a denial by the %s rejects, this once if it can', (by) => {
  expect(toPermissionAnswer({ granted: false, by }, [once, never, no])).toEqual({
    kind: 'option',
    optionId: 'no',
  });
  expect(toPermissionAnswer({ granted: false, by }, [once, never])).toEqual({
    kind: 'option',
    optionId: 'never',
  });
  expect(toPermissionAnswer({ granted: false, by }, [once])).toEqual({ kind: 'cancel' });
});

test.each(['superseded', 'expired', 'cancelled'] as const)('what is %s is cancelled', (by) => {
  expect(toPermissionAnswer({ granted: false, by }, [once, no])).toEqual({ kind: 'cancel' });
});
