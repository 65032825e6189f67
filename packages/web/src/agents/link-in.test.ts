import { expect, test } from 'vitest';
import { linkIn } from './link-in.ts';

test.each([
  ['no address here', undefined],
  ['http://example.com is not private', undefined],
  ['Visit https://example.com/login?a=b.\r\n', 'https://example.com/login?a=b'],
  ['\u001B[34mhttps://example.com/x\u001B[0m done', 'https://example.com/x'],
  ['\u001B]8;;https://example.com/y\u0007here\u001B]8;;\u0007', 'https://example.com/y'],
  ['https://one.example then https://two.example', 'https://two.example'],
])('the address in %j', (written, link) => {
  expect(linkIn(written)).toBe(link);
});

test('a URL that the terminal wrapped is joined', () => {
  const first = `https://example.com/${'a'.repeat(80)}`;
  expect(linkIn(`${first}\r\n${'b'.repeat(20)}\r\nPaste the code:`)).toBe(`${first}${'b'.repeat(20)}`);
});
