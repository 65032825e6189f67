import { expect, test } from 'vitest';
import { redactDecisionReason, redactPolicyReason } from './redact-rule.ts';
import { Redaction } from './redaction.ts';

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

  expect(JSON.stringify(redactPolicyReason(because, new Redaction(['hunter22'])))).not.toContain('hunter22');
  expect(redactPolicyReason(because, new Redaction([]))).toEqual(because);
});

test('what a person said with a rejection is told without secrets too', () => {
  const because = { code: 'answered', words: 'not with hunter22' } as const;

  const told = JSON.stringify(redactDecisionReason(because, new Redaction(['hunter22'])));
  expect(told).not.toContain('hunter22');
  expect(told).toContain('not with');
});
