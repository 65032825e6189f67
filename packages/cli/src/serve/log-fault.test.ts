import { HostError } from '@parley/host';
import { WorkspaceError } from '@parley/workspace';
import { expect, test } from 'vitest';
import { logFault } from './log-fault.ts';
import type { Log } from './log.ts';

test.each([
  {
    error: new HostError('already-open', 'the lease was lost'),
    level: 'warn',
    fields: { error: 'the lease was lost', code: 'already-open' },
  },
  {
    error: Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
    level: 'error',
    fields: { error: 'connect ECONNREFUSED', code: 'ECONNREFUSED' },
  },
  {
    error: new WorkspaceError('no-space', 'the disk is full'),
    level: 'error',
    fields: { error: 'the disk is full', code: 'no-space' },
  },
  {
    error: new TypeError('no function'),
    level: 'error',
    fields: { error: 'no function', stack: expect.stringContaining('log-fault.test') as string },
  },
  { error: 'a text', level: 'error', fields: { error: 'a text', stack: undefined } },
])('$error is a line of level $level', ({ error, level, fields }) => {
  const lines: { readonly level: string; readonly fields: unknown }[] = [];
  const note =
    (name: string) =>
    (_message: string, given: unknown): void => {
      lines.push({ level: name, fields: given });
    };
  const log: Log = { info: note('info'), warn: note('warn'), error: note('error') };
  logFault(log, error);
  expect(lines).toEqual([{ level, fields }]);
});
