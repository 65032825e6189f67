import type { ContentBlock } from '@parley/acp';
import { expect, test } from 'vitest';
import type { Command } from './command.ts';
import { findCommand } from './find-command.ts';

const known: readonly Command[] = ['help', 'model'].map((name) => ({
  name,
  description: name,
  run: () => name,
}));

const text = (value: string): ContentBlock => ({ type: 'text', text: value });

test.each([
  ['/help', 'help', ''],
  ['/help ', 'help', ''],
  ['/model openai/gpt-5', 'model', 'openai/gpt-5'],
  ['/model\n  a\nb ', 'model', 'a\nb'],
])('%j is a command', (prompt, name, argument) => {
  expect(findCommand([text(prompt)], known)).toMatchObject({ command: { name }, argument });
});

test.each(['/etc/hosts is wrong', '/helpme', '/Help', '/ help', 'say /help', ' /help', '/', '', '/help/x'])(
  '%j is for the model',
  (prompt) => {
    expect(findCommand([text(prompt)], known)).toBeUndefined();
  },
);

test('the command is read from the first text block, also after other blocks', () => {
  const link: ContentBlock = { type: 'resource_link', uri: 'file:///a', name: 'a' };
  expect(findCommand([link, text('/help')], known)).toMatchObject({ command: { name: 'help' } });
  expect(findCommand([text('look'), text('/help')], known)).toBeUndefined();
  expect(findCommand([link], known)).toBeUndefined();
});
