import type { CreateElicitationRequest } from '@parley/acp';
import { expect, test } from 'vitest';
import { answersMayHoldSecret, withoutSecretDefaults } from './shown-answers.ts';

const request: CreateElicitationRequest = {
  sessionId: 'one',
  mode: 'form',
  message: 'Sign in',
  requestedSchema: {
    type: 'object',
    properties: {
      user: { type: 'string', default: 'ada' },
      password: { type: 'string', default: 'swordfish' },
      pin: { type: 'integer' },
      token: { type: 'string', enum: ['stored', 'new'], default: 'stored' },
      keepsToken: { type: 'boolean' },
    },
  },
};

test.each([
  ['text of a secret field', { password: 'abc' }],
  ['a number of a secret field', { pin: 1234 }],
  ['text beside the choices of a secret field', { token: 'abc' }],
  ['text of a field that the form does not have', { other: 'abc' }],
  ['text in the format of a key', { user: `ghp_${'a1'.repeat(12)}` }],
])('%s may be a secret', (_what, content) => {
  expect(answersMayHoldSecret(request, { user: 'ada', ...content })).toBe(true);
});

test.each([
  ['other text', { user: 'ada' }],
  ['a secret field without text', { password: '' }],
  ['a choice', { token: 'new' }],
  ['yes or no', { keepsToken: true }],
])('%s is no secret', (_what, content) => {
  expect(answersMayHoldSecret(request, content)).toBe(false);
});

test('a form without the defaults of its secret fields has all others', () => {
  expect(withoutSecretDefaults(request)).toMatchObject({
    requestedSchema: {
      properties: {
        user: { default: 'ada' },
        password: expect.not.objectContaining({ default: expect.anything() }),
        token: { default: 'stored' },
      },
    },
  });
});
