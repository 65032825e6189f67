import { expect, test } from 'vitest';
import { parseFileLink } from './file-link.ts';

test.each([
  ['file:///a/b.ts', { path: '/a/b.ts' }],
  ['file://localhost/a/b.ts', { path: '/a/b.ts' }],
  ['FILE:///a', { path: '/a' }],
  ['file:///a%20b/%C3%A4.ts', { path: '/a b/ä.ts' }],
  ['file:///C:/x/y.ts', { path: 'C:/x/y.ts' }],
  ['/a b.ts', { path: '/a b.ts' }],
  ['/a%20b.ts', { path: '/a%20b.ts' }],
  ['C:\\x\\y.ts', { path: 'C:\\x\\y.ts' }],
  ['file:///a.ts#L10-L20', { path: '/a.ts', lines: { first: 10, last: 20 } }],
  ['file:///a.ts#L10', { path: '/a.ts', lines: { first: 10, last: 10 } }],
  ['file:///a.ts#10:20', { path: '/a.ts', lines: { first: 10, last: 20 } }],
  ['file:///a.ts?line=7', { path: '/a.ts', lines: { first: 7, last: 7 } }],
  ['file:///a.ts?lines=7-9', { path: '/a.ts', lines: { first: 7, last: 9 } }],
  ['/a.ts#L3-4', { path: '/a.ts', lines: { first: 3, last: 4 } }],
  ['/notes#chapter', { path: '/notes#chapter' }],
  ['file:///a.ts#chapter', { path: '/a.ts' }],
  ['file:///a.ts#L20-L10', { path: '/a.ts' }],
  ['file:///a.ts#L0', { path: '/a.ts' }],
])('%s is %j', (address, link) => {
  expect(parseFileLink(address)).toEqual(link);
});

test.each([
  'https://example.com/a',
  'a/b.ts',
  '',
  'file://server/share/x',
  'file:///%zz',
  'zed:///x',
  'file:',
])('%j is no file of this machine', (address) => {
  expect(parseFileLink(address)?.path ?? '').toBe(address === 'file:' ? '/' : '');
});
