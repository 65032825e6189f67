import { expect, test } from 'vitest';
import { redact } from './redact.ts';

test('no part of a secret is left that begins with another one', () => {
  expect(redact('with open-sesame, or open', ['open', 'open-sesame', ''])).toBe('with ***, or ***');
});
