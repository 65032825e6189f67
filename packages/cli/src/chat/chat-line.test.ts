import { expect, test } from 'vitest';
import { isChatLine, parseChatLine } from './chat-line.ts';

test('words are a prompt, without the space around them', () => {
  expect(parseChatLine('  search TODO ', [])).toEqual({ kind: 'prompt', text: 'search TODO' });
  expect(parseChatLine('   ', [])).toEqual({ kind: 'nothing' });
});

test('our own commands are known, with or without an id', () => {
  expect(parseChatLine('/help', [])).toEqual({ kind: 'help' });
  expect(parseChatLine('/mode plan', [])).toEqual({ kind: 'mode', id: 'plan' });
  expect(parseChatLine('/model', [])).toEqual({ kind: 'model' });
  expect(parseChatLine('/new', [])).toEqual({ kind: 'new' });
  expect(parseChatLine('/quit', [])).toEqual({ kind: 'exit' });
});

test("the agent's commands and paths are prompts, anything else behind a slash is unknown", () => {
  expect(parseChatLine('/review the diff', ['review'])).toEqual({ kind: 'prompt', text: '/review the diff' });
  expect(parseChatLine('/etc/hosts is what?', [])).toEqual({ kind: 'prompt', text: '/etc/hosts is what?' });
  expect(parseChatLine('/hepl', [])).toEqual({ kind: 'unknown', name: 'hepl' });
});

test('what the chat has itself never reaches the agent, though the agent offers it too', () => {
  expect(parseChatLine('/model a/b', ['model'])).toEqual({ kind: 'model', id: 'a/b' });
  expect(['help', 'new', 'exit', 'quit', 'mode', 'model', 'queue', 'last'].every(isChatLine)).toBe(true);
  expect(['usage', 'clear', 'etc/hosts'].some(isChatLine)).toBe(false);
});
