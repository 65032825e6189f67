import { expect, test } from 'vitest';
import { withoutSecrets } from './without-secrets.ts';

test('a secret that begins with another secret is replaced whole', () => {
  expect(withoutSecrets('open-sesame is not open', ['open', 'open-sesame'])).toBe('*** is not ***');
});

test('short values are not treated as secrets', () => {
  expect(withoutSecrets('it is 1', ['1', ''])).toBe('it is 1');
});
