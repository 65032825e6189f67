import { expect, test } from 'vitest';
import { isJudged, judgeWords, type WordList } from './word-rules.mjs';

const list: WordList = {
  retired: [
    { word: 'desks?', write: 'hub', why: 'one word' },
    { word: 'in vain', write: 'failed', why: 'plain English' },
    { word: 'nobody', write: 'no user', why: 'a subject' },
    { word: 'behind (it|--|`--`)', write: 'after', why: 'plain English' },
  ],
  exceptions: [
    { text: "'nobody'", why: 'a value of the contract' },
    { text: 'desk\\.json', path: '^docs/', why: 'a name on disk' },
  ],
  ignored: [
    { path: 'CHANGELOG.md', why: 'the past' },
    { path: 'docs/decisions/', why: 'the past' },
  ],
};

test.each([
  ['a word of a sentence', 'one\nthe Desk opens\n', 2, 'Desk'],
  ['a part of a camel-case identifier', 'const openDesk = 1;', 1, 'Desk'],
  ['a part of a snake-case identifier', 'open_desks', 1, 'desks'],
  ['a word after an acronym', 'class HTTPDesk {}', 1, 'Desk'],
  ['a phrase that ends in punctuation', 'the command behind -- runs', 1, 'behind --'],
  ['a phrase that ends in a quote', 'the command behind `--` runs', 1, 'behind `--`'],
  ['a phrase that a comment breaks', '/**\n * Started in\n * vain.\n */', 2, 'in vain'],
])('%s is found, with its line', (_, text, line, found) => {
  expect(judgeWords({ path: 'a.ts', text }, list)).toMatchObject([{ line, found }]);
});

test.each([
  ['a longer word', 'the desktop, isDesktop'],
  ['a longer word after punctuation', 'the value behind --flag'],
  ['a value that the contract fixes', "by: 'nobody'"],
])('%s is not found', (_, text) => {
  expect(judgeWords({ path: 'a.ts', text }, list)).toEqual([]);
});

test('a retired word in a path is found at line 0', () => {
  expect(judgeWords({ path: 'src/desk/open.ts', text: '' }, list)).toEqual([
    { path: 'src/desk/open.ts', line: 0, found: 'desk', write: 'hub', why: 'one word' },
  ]);
});

test('an exception with a path applies only there', () => {
  const text = 'see desk.json';
  expect(judgeWords({ path: 'docs/serve.md', text }, list)).toEqual([]);
  expect(judgeWords({ path: 'README.md', text }, list)).toHaveLength(1);
});

test('a word with a path is retired only in matching files', () => {
  const words = {
    ...list,
    retired: [{ word: 'anew', write: 'again', why: 'plain English', path: '\\.md$' }],
  };
  expect(judgeWords({ path: 'a.md', text: 'begun anew' }, words)).toHaveLength(1);
  expect(judgeWords({ path: 'a.ts', text: 'begun anew' }, words)).toEqual([]);
});

test('a word of one kind of text is retired only there, and not in tests', () => {
  const words = {
    ...list,
    retired: [
      {
        word: 'anew',
        write: 'again',
        why: 'plain English',
        in: ['documents', 'comments', 'messages'] as const,
      },
    ],
  };
  const source = [
    '/** Begun anew. */',
    "const text = 'begun anew';",
    '// Begun anew.',
    "const anew = 'anew';",
    '/**',
    ' * Begun',
    ' * anew, in two lines.',
    ' */',
  ].join('\n');
  const linesIn = (path: string): number[] =>
    judgeWords({ path, text: source }, words).map(({ line }) => line);
  expect(linesIn('packages/host/src/a.ts')).toEqual([1, 2, 7]);
  expect(linesIn('packages/host/src/a.test.ts')).toEqual([]);
  expect(linesIn('scripts/a.mjs')).toEqual([]);
  expect(judgeWords({ path: 'a.md', text: 'begun anew' }, words)).toHaveLength(1);
});

test('findings come in the order of their lines', () => {
  const found = judgeWords({ path: 'a.ts', text: 'nobody\ndesk\n' }, list);
  expect(found.map(({ line }) => line)).toEqual([1, 2]);
});

test('ignored files and folders are not judged', () => {
  expect(isJudged('CHANGELOG.md', list)).toBe(false);
  expect(isJudged('docs/decisions/0001.md', list)).toBe(false);
  expect(isJudged('packages/web/vite.config.ts', list)).toBe(true);
});
