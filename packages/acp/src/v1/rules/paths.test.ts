import { expect, test } from 'vitest';
import { findRelativePath } from './paths.ts';

const places = ['cwd', 'additionalDirectories[]', 'sessions[].cwd', 'update.content[].path'];

test.each([
  {},
  { cwd: '/a', additionalDirectories: ['/b', 'C:\\c'], sessions: [{ cwd: '/d' }], update: { content: [{}] } },
  { cwd: 1, additionalDirectories: 'x', sessions: [null], update: [] },
  undefined,
])('in %j no path is relative', (value) => {
  expect(findRelativePath(value, places)).toBeUndefined();
});

test.each([
  [{ cwd: 'a' }, 'cwd', 'a'],
  [{ cwd: '' }, 'cwd', ''],
  [{ cwd: '/a', additionalDirectories: ['/b', './c'] }, 'additionalDirectories[1]', './c'],
  [{ sessions: [{ cwd: '/' }, { cwd: '..' }] }, 'sessions[1].cwd', '..'],
  [{ update: { content: [{ path: 'x' }] } }, 'update.content[0].path', 'x'],
])('in %j the relative path is at %s', (value, path, found) => {
  expect(findRelativePath(value, places)).toEqual({
    code: 'invalid-params',
    path,
    expected: 'an absolute path',
    found,
  });
});
