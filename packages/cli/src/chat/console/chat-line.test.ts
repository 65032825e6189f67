import { expect, test } from 'vitest';
import { isChatLine, parseChatLine } from './chat-line.ts';

test('text is a prompt, trimmed', () => {
  expect(parseChatLine('  search TODO ', [])).toEqual({ kind: 'prompt', text: 'search TODO' });
  expect(parseChatLine('   ', [])).toEqual({ kind: 'nothing' });
});

test("Parley's commands are recognized, with or without an id", () => {
  expect(parseChatLine('/help', [])).toEqual({ kind: 'help' });
  expect(parseChatLine('/mode plan', [])).toEqual({ kind: 'mode', id: 'plan' });
  expect(parseChatLine('/model', [])).toEqual({ kind: 'model' });
  expect(parseChatLine('/new', [])).toEqual({ kind: 'new' });
  expect(parseChatLine('/quit', [])).toEqual({ kind: 'exit' });
});

test('an undo may name a turn, a path, or both', () => {
  expect(parseChatLine('/undo', [])).toEqual({ kind: 'undo' });
  expect(parseChatLine('/undo 12', [])).toEqual({ kind: 'undo', turn: 12 });
  expect(parseChatLine('/undo 12 src/a b.txt ', [])).toEqual({ kind: 'undo', turn: 12, path: 'src/a b.txt' });
  expect(parseChatLine('/undo 12.txt', [])).toEqual({ kind: 'undo', path: '12.txt' });
  expect(parseChatLine('/undo 12', ['undo'])).toEqual({ kind: 'prompt', text: '/undo 12' });
});

test("the agent's commands and paths are prompts; anything else after a slash is unknown", () => {
  expect(parseChatLine('/review the diff', ['review'])).toEqual({ kind: 'prompt', text: '/review the diff' });
  expect(parseChatLine('/etc/hosts is what?', [])).toEqual({ kind: 'prompt', text: '/etc/hosts is what?' });
  expect(parseChatLine('/hepl', [])).toEqual({ kind: 'unknown', name: 'hepl' });
});

test("Parley's commands never reach the agent, even if it offers the same name", () => {
  expect(parseChatLine('/model a/b', ['model'])).toEqual({ kind: 'model', id: 'a/b' });
  expect(['help', 'new', 'exit', 'quit', 'mode', 'model', 'queue', 'last'].every(isChatLine)).toBe(true);
  expect(['usage', 'clear', 'etc/hosts'].some(isChatLine)).toBe(false);
});
