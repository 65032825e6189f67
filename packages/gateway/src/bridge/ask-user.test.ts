import type { CreateElicitationRequest } from '@parley/acp';
import { expect, test } from 'vitest';
import { toElicitationAnswer } from './ask-user.ts';

const form: CreateElicitationRequest = {
  sessionId: 's',
  mode: 'form',
  message: 'How many?',
  requestedSchema: {
    properties: { why: { type: 'string' }, count: { type: 'integer' } },
    required: ['count'],
  },
};

test('an answer is JSON by field; plain text fills the required field', () => {
  expect(toElicitationAnswer(form, '{"count": 3, "why": "so", "odd": {}}')).toEqual({
    action: 'accept',
    content: { count: 3, why: 'so' },
  });
  expect(toElicitationAnswer(form, '3')).toEqual({ action: 'accept', content: { count: 3 } });
});

test('invalid or empty text is not an answer', () => {
  expect(toElicitationAnswer(form, 'many')).toEqual({ action: 'decline' });
  expect(toElicitationAnswer(form, '  ')).toEqual({ action: 'cancel' });
});

test('a visited URL is an answer', () => {
  const url: CreateElicitationRequest = {
    sessionId: 's',
    mode: 'url',
    message: 'Sign in',
    elicitationId: 'e',
    url: 'https://example.com',
  };

  expect(toElicitationAnswer(url, 'done')).toEqual({ action: 'accept' });
});
