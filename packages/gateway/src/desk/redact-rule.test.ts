import { expect, test } from 'vitest';
import { Redaction } from '../bridge/redaction.ts';
import { redactBecause } from './redact-rule.ts';

test('why somebody is asked is told without secrets, whatever part of a rule they are in', () => {
  const rule = { tool: 'fetch', decision: 'ask' } as const;
  const because = {
    code: 'rules',
    rules: [
      { ...rule, host: 'hunter22.example' },
      { ...rule, command: 'login hunter22', path: '/hunter22' },
      { ...rule, commandPrefix: 'hunter22', origin: 'user' },
    ],
  } as const;

  expect(JSON.stringify(redactBecause(because, new Redaction(['hunter22'])))).not.toContain('hunter22');
  expect(redactBecause(because, new Redaction([]))).toEqual(because);
});
