import { expect, test } from 'vitest';
import { redactDecisionReason, redactPolicyReason } from './redact-rule.ts';
import { Redaction } from './redaction.ts';

test('the reason for a question has no secrets, in any part of a rule', () => {
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

test("a user's feedback in a rejection has no secrets either", () => {
  const because = { code: 'answered', words: 'not with hunter22' } as const;

  const output = JSON.stringify(redactDecisionReason(because, new Redaction(['hunter22'])));
  expect(output).not.toContain('hunter22');
  expect(output).toContain('not with');
});
