import { expect, test } from 'vitest';
import { relativePath } from './relative-path.ts';

test('a path within the folder is relative to it', () => {
  expect(relativePath('/project/src/a.ts', '/project')).toBe('src/a.ts');
  expect(relativePath('/project/src/a.ts', '/project/')).toBe('src/a.ts');
  expect(relativePath('C:\\project\\a.ts', 'C:\\project')).toBe('a.ts');
});

test('any other path is shown whole', () => {
  expect(relativePath('/projects/a.ts', '/project')).toBe('/projects/a.ts');
  expect(relativePath('/project', '/project')).toBe('.');
  expect(relativePath('/a.ts', undefined)).toBe('/a.ts');
  expect(relativePath('/a.ts', '/')).toBe('a.ts');
});
