import { expect, test } from 'vitest';
import { isMissingPart } from './missing-part.ts';

test.each([
  'Failed to fetch dynamically imported module: http://127.0.0.1/assets/a.js',
  'error loading dynamically imported module: http://127.0.0.1/assets/a.js',
  'Importing a module script failed.',
  'Unable to preload CSS for /assets/a.css',
])('what browsers say of a part that cannot be loaded is known: %s', (message) => {
  expect(isMissingPart(new TypeError(message))).toBe(true);
});

test.each([new TypeError('x is not a function'), new Error('Failed to fetch'), 'importing a module script'])(
  'another failure is none: %s',
  (error) => {
    expect(isMissingPart(error)).toBe(false);
  },
);
