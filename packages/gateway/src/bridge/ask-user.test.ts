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

test('fields come as JSON; plain words are for the field that must be there', () => {
  expect(toElicitationAnswer(form, '{"count": 3, "why": "so", "odd": {}}')).toEqual({
    action: 'accept',
    content: { count: 3, why: 'so' },
  });
  expect(toElicitationAnswer(form, '3')).toEqual({ action: 'accept', content: { count: 3 } });
});

test('words that do not fit are no answer, and neither is nothing', () => {
  expect(toElicitationAnswer(form, 'many')).toEqual({ action: 'decline' });
  expect(toElicitationAnswer(form, '  ')).toEqual({ action: 'cancel' });
});

test('an address that was visited is an answer', () => {
  const url: CreateElicitationRequest = {
    sessionId: 's',
    mode: 'url',
    message: 'Sign in',
    elicitationId: 'e',
    url: 'https://example.com',
  };

  expect(toElicitationAnswer(url, 'done')).toEqual({ action: 'accept' });
});
