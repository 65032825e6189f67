import { expect, test } from 'vitest';
import { createStyle } from '../output/style.ts';
import { showAddress } from './address.ts';

const screen = { style: createStyle(false, {}), columns: 5000 };

test('the host and the full URL are shown, without a warning for an ordinary URL', () => {
  const address = `https://example.com/login?state=${'x'.repeat(3000)}`;
  expect(showAddress(address, screen)).toBe(
    `    The agent wants you to open a URL in your browser, on example.com:\n    ${address}\n`,
  );
  expect(showAddress('http://localhost:8080/', screen)).not.toContain('Careful');
});

test.each([
  ['http://example.com/', 'not be encrypted'],
  ['javascript:alert(1)', 'not a page'],
  ['https://example.com@evil.test/', 'the destination is evil.test'],
  ['https://ex\u0430mple.com/', 'xn--'],
  ['https://example.com/\u202efdp', 'invisible or look-alike'],
  ['not an address', 'not a valid address'],
])('of %j a user is warned: %s', (address, warning) => {
  expect(showAddress(address, screen)).toContain('Careful');
  expect(showAddress(address, screen)).toContain(warning);
});
