import { expect, test } from 'vitest';
import { createStyle } from '../output/style.ts';
import { showAddress } from './address.ts';

const screen = { style: createStyle(false, {}), columns: 5000 };

test('a user sees the host and the whole address, and no warning of a usual one', () => {
  const address = `https://example.com/login?state=${'x'.repeat(3000)}`;
  expect(showAddress(address, screen)).toBe(
    `    It wants you to open an address in your browser, on example.com:\n    ${address}\n`,
  );
  expect(showAddress('http://localhost:8080/', screen)).not.toContain('Careful');
});

test.each([
  ['http://example.com/', 'not be encrypted'],
  ['javascript:alert(1)', 'not a page'],
  ['https://example.com@evil.test/', 'that is evil.test'],
  ['https://ex\u0430mple.com/', 'xn--'],
  ['https://example.com/\u202efdp', 'cannot be seen'],
  ['not an address', 'no valid address'],
])('of %j a user is warned: %s', (address, warning) => {
  expect(showAddress(address, screen)).toContain('Careful');
  expect(showAddress(address, screen)).toContain(warning);
});
