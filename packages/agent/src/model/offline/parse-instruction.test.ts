import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instructionForms, parseInstruction } from './parse-instruction.ts';

test.each([
  ['read src/a.ts', { kind: 'use', tool: 'read', input: { path: 'src/a.ts' } }],
  ['read my notes.txt ', { kind: 'use', tool: 'read', input: { path: 'my notes.txt' } }],
  ['read @src/a.ts', { kind: 'use', tool: 'read', input: { path: 'src/a.ts' } }],
  ['read @"my notes.txt"', { kind: 'use', tool: 'read', input: { path: 'my notes.txt' } }],
  ['read ./@a.ts', { kind: 'use', tool: 'read', input: { path: './@a.ts' } }],
  ['read @', { kind: 'use', tool: 'read', input: { path: '@' } }],
  ['list .', { kind: 'use', tool: 'list', input: { path: '.' } }],
  ['search TODO', { kind: 'use', tool: 'search', input: { pattern: 'TODO' } }],
  ['search a b in src', { kind: 'use', tool: 'search', input: { pattern: 'a b', path: 'src' } }],
  [
    'search word in text in src',
    { kind: 'use', tool: 'search', input: { pattern: 'word in text', path: 'src' } },
  ],
  ['write a.txt: hello', { kind: 'use', tool: 'write', input: { path: 'a.txt', text: 'hello' } }],
  ['write a.txt:hello', { kind: 'use', tool: 'write', input: { path: 'a.txt', text: 'hello' } }],
  ['write a.txt:', { kind: 'use', tool: 'write', input: { path: 'a.txt', text: '' } }],
  ['write a.txt:   in: here', { kind: 'use', tool: 'write', input: { path: 'a.txt', text: '  in: here' } }],
  ['write C:\\a.txt: x', { kind: 'use', tool: 'write', input: { path: 'C:\\a.txt', text: 'x' } }],
  [
    'replace old text with new text in a b.txt',
    { kind: 'use', tool: 'replace', input: { path: 'a b.txt', oldText: 'old text', newText: 'new text' } },
  ],
  [
    'replace one in two with three in four in a.txt',
    {
      kind: 'use',
      tool: 'replace',
      input: { path: 'a.txt', oldText: 'one in two', newText: 'three in four' },
    },
  ],
  [
    'replace x with  in a.txt',
    { kind: 'use', tool: 'replace', input: { path: 'a.txt', oldText: 'x', newText: '' } },
  ],
  ['delete a.txt', { kind: 'use', tool: 'delete', input: { path: 'a.txt' } }],
  ['move a.txt to b/c.txt', { kind: 'use', tool: 'move', input: { from: 'a.txt', to: 'b/c.txt' } }],
  ['run npm test | cat', { kind: 'use', tool: 'run', input: { command: 'npm test | cat' } }],
  ['fetch https://example.com/', { kind: 'use', tool: 'fetch', input: { url: 'https://example.com/' } }],
  ['ask: which one?', { kind: 'use', tool: 'ask', input: { question: 'which one?' } }],
  ['plan: look; change ; ;test', { kind: 'plan', steps: ['look', 'change', 'test'] }],
  ['think: hm', { kind: 'think', text: 'hm' }],
  ['say: hello: you ', { kind: 'say', text: 'hello: you ' }],
  ['say:  hi', { kind: 'say', text: ' hi' }],
  ['say: one\u2028two', { kind: 'say', text: 'one\u2028two' }],
  ['sleep 1.5', { kind: 'sleep', ms: 1500 }],
  ['call read {"path":"a"}', { kind: 'call', tool: 'read', input: { path: 'a' } }],
  ['call mcp__s__t', { kind: 'call', tool: 'mcp__s__t', input: {} }],
  ['repeat 3: say: x', { kind: 'repeat', times: 3, instruction: { kind: 'say', text: 'x' } }],
  [
    'repeat 1000000: think: x',
    { kind: 'repeat', times: 1_000_000, instruction: { kind: 'think', text: 'x' } },
  ],
  ['repeat 3: repeat 4: sleep 1', { kind: 'repeat', times: 12, instruction: { kind: 'sleep', ms: 1000 } }],
  ['', { kind: 'blank' }],
  ['[notes](file:///notes.txt)', { kind: 'blank' }],
])('%j is understood', (line, instruction) => {
  expect(parseInstruction(line)).toEqual(instruction);
});

test('keywords and connecting words are case-insensitive', () => {
  expect(parseInstruction('  READ a.txt')).toEqual(parseInstruction('read a.txt'));
  expect(parseInstruction('Say: Hello')).toEqual(parseInstruction('say: Hello'));
  expect(parseInstruction('REPLACE a WITH b IN c')).toEqual(parseInstruction('replace a with b in c'));
  expect(parseInstruction('Repeat 2: SAY: x')).toEqual(parseInstruction('repeat 2: say: x'));
});

test.each([
  'hello',
  'read',
  'read:',
  'readme',
  'say hello',
  'plan the work',
  'plan: ;',
  'write a.txt',
  'write : x',
  'replace a in b',
  'move a b',
  'run ',
  'sleep soon',
  'sleep -1',
  'call',
  'repeat: say: x',
  'repeat 3 say: x',
  'repeat 3: hello',
  'repeat 3:',
  'help',
])('%j is not understood', (line) => {
  expect(parseInstruction(line)).toEqual({ kind: 'unknown' });
});

test.each([
  ['repeat 0: say: x', 'repeats from 1 to 1000000'],
  ['repeat 1000001: say: x', 'repeats from 1 to 1000000'],
  ['repeat 1001: repeat 1000: say: x', 'repeats from 1 to 1000000'],
  ['sleep 86401', 'sleeps at most 86400 seconds'],
  ['call read {path', 'not a JSON object'],
  ['call read [1]', 'not a JSON object'],
  ['repeat 2: call read 5', 'not a JSON object'],
])('%j is refused with the reason', (line, reason) => {
  const text: unknown = expect.stringContaining(reason);
  expect(parseInstruction(line)).toMatchObject({ kind: 'wrong', reason: text });
});

test('each entry of the list is a valid instruction', () => {
  for (const form of instructionForms) {
    const line = form
      .replace('[in PATH]', 'in src')
      .replace('{JSON}', '{}')
      .replace('repeat N: INSTRUCTION', 'repeat 2: say: x')
      .replace('SECONDS', '1');
    expect(parseInstruction(line).kind, form).not.toMatch(/unknown|wrong/u);
  }
});

test('a very long line with many connecting words is read at once', () => {
  const line = `replace ${' with '.repeat(200_000)} nothing`;
  expect(parseInstruction(line)).toEqual({ kind: 'unknown' });
});

const words = fc.string({ minLength: 1 }).filter((text) => !/[\r\n]/u.test(text));

test('any line is read without an error', () => {
  const starts = fc.constantFrom(
    '',
    'read ',
    'write a: ',
    'replace ',
    'move ',
    'call x ',
    'repeat 3: ',
    'search ',
  );
  fc.assert(
    fc.property(starts, words, (start, rest) => {
      expect(parseInstruction(start + rest)).toHaveProperty('kind');
    }),
  );
});

test('say returns any text unchanged', () => {
  fc.assert(
    fc.property(words, (text) => {
      expect(parseInstruction(`say: ${text}`)).toEqual({ kind: 'say', text });
      expect(parseInstruction(`write a.txt: ${text}`)).toMatchObject({ input: { text } });
    }),
  );
});
