import { expect, test } from 'vitest';
import { redact } from './redact.ts';

test('a secret that starts with another one is redacted completely', () => {
  expect(redact('with open-sesame, or open', ['open', 'open-sesame', ''])).toBe('with ***, or ***');
});
