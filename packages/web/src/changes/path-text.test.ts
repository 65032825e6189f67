import { expect, test } from 'vitest';
import { pathText } from './path-text.ts';

test('a name that is not UTF-8 is shown by its bytes', () => {
  expect(pathText('src/ä.ts')).toBe('src/ä.ts');
  expect(pathText({ base64: btoa('a\u00FF\n') })).toBe('a\\xff\\x0a');
});
