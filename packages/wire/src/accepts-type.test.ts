import { expect, test } from 'vitest';
import { acceptsType } from './accepts-type.ts';

test.each([
  [null, true],
  ['', true],
  ['*/*', true],
  ['text/html, */*;q=0.1', true],
  ['application/*', true],
  ['APPLICATION/JSON; charset=utf-8', true],
  ['text/html', false],
  ['application/jsonx', false],
  ['*/*, application/json;q=0', false],
  ['application/json;q=0.000, */*', false],
  ['application/*;q=0, application/json', true],
  ['application/json;q=0.001', true],
  [', ;, nonsense', false],
])('Accept %j of application/json: %s', (accept, isAccepted) => {
  expect(acceptsType(accept, 'application/json')).toBe(isAccepted);
});
