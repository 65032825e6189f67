import { RpcError } from '@parley/wire';
import { expect, test } from 'vitest';
import { toRefusalText } from './refusal-text.ts';

test.each<[string, unknown, string]>([
  ['Internal error', undefined, 'Internal error'],
  ['Internal error', { details: 'the model is gone' }, 'Internal error: the model is gone'],
  ['Internal error', { message: 'the model is gone' }, 'Internal error: the model is gone'],
  ['Internal error', 'the model is gone', 'Internal error: the model is gone'],
  ['Internal error', { details: 7, reason: 'the model is gone' }, 'Internal error: the model is gone'],
  ['Internal error', { details: '  ' }, 'Internal error'],
  ['Internal error', { sessionId: 's' }, 'Internal error'],
  [
    'Internal error: the model is gone',
    { details: 'the model is gone' },
    'Internal error: the model is gone',
  ],
  ['No model', 'No model: it is gone', 'No model: it is gone'],
])('%s with the data %o is reported as: %s', (message, data, text) => {
  expect(toRefusalText(new RpcError(-32603, message, data))).toBe(text);
});

test('a very long reason is truncated', () => {
  const text = toRefusalText(new RpcError(-32603, 'Internal error', { details: 'x'.repeat(5000) }));
  expect(text).toHaveLength('Internal error: '.length + 1001);
});
