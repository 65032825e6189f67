import { expect, test } from 'vitest';
import { Invalid } from './invalid.ts';

test('a fault grows its path on the way out', () => {
  const fault = new Invalid('text', 'a string')
    .within('content')
    .within('[2]')
    .within('content')
    .within('update');

  expect(fault.path).toBe('update.content[2].content.text');
  expect(fault.message).toBe('update.content[2].content.text: expected a string');
});

test('a fault of the value itself has no path', () => {
  expect(new Invalid('', 'an object').message).toBe('expected an object');
  expect(new Invalid('', 'an object').within('[0]').within('prompt').path).toBe('prompt[0]');
});
