import { expect, test } from 'vitest';
import { safeLink } from './safe-link.ts';

test('pages and mail can be opened', () => {
  for (const address of ['https://example.com/a?b#c', 'HTTP://example.com', 'mailto:ada@example.com']) {
    expect(safeLink(address)).toBe(address);
  }
});

test('nothing else can', () => {
  const addresses = [
    undefined,
    '',
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'vscode://open',
    'src/a.ts',
    '//example.com',
    '#place',
    'https:// ',
  ];
  for (const address of addresses) expect(safeLink(address)).toBeUndefined();
});
