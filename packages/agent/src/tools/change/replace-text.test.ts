import { expect, test } from 'vitest';
import { replaceOnce } from './replace-text.ts';

test('the only match is replaced, and its line is returned', () => {
  expect(replaceOnce('one\ntwo\nthree\n', 'two', '2')).toEqual({
    newText: 'one\n2\nthree\n',
    line: 2,
  });
});

test('the new text is inserted literally, including dollar signs', () => {
  expect(replaceOnce('cost: x', 'x', '$& $1 $$')).toEqual({
    newText: 'cost: $& $1 $$',
    line: 1,
  });
});

test('missing text is rejected', () => {
  expect(() => replaceOnce('abc', 'x', 'y')).toThrow(expect.objectContaining({ code: 'no-match' }));
});

test('text that occurs several times is rejected with the number', () => {
  expect(() => replaceOnce('a b a c a', 'a', 'y')).toThrow(/3 times/u);
  expect(() => replaceOnce('a b a c a', 'a', 'y')).toThrow(
    expect.objectContaining({ code: 'ambiguous-match' }),
  );
});

test('overlapping matches are ambiguous too', () => {
  expect(() => replaceOnce('aaa', 'aa', 'y')).toThrow(expect.objectContaining({ code: 'ambiguous-match' }));
});

test('an ambiguous text is reported with its lines', () => {
  expect(() => replaceOnce('a\nb\na\n', 'a', 'y')).toThrow(/2 times in the file \(lines 1, 3\)/u);
});

test('whole lines are found when only white space differs, and the new ones are indented like the old ones', () => {
  const text = 'function f() {\n    if (a)  {\n\t\tb();\n    }\n}\n';
  expect(replaceOnce(text, 'if (a) {\n  b();\n}\n', 'if (c) {\n  d();\n}\n')).toEqual({
    newText: 'function f() {\n    if (c) {\n      d();\n    }\n}\n',
    line: 2,
    tolerated: 'white space',
  });
});

test('lines keep the line ending of the file', () => {
  expect(replaceOnce('a\r\nb\r\nc\r\n', 'a\nb\n', 'x\ny\n').newText).toBe('x\r\ny\r\nc\r\n');
});

test('in a file with CR LF the new lines get CR LF; in a mixed one they stay', () => {
  expect(replaceOnce('a\r\nb\r\n', 'a', 'x\ny').newText).toBe('x\r\ny\r\nb\r\n');
  expect(replaceOnce('a\r\nb\n', 'a', 'x\ny').newText).toBe('x\ny\r\nb\n');
  expect(replaceOnce('a\r\nb\r\n', 'a\r\nb', 'x\r\ny').newText).toBe('x\r\ny\r\n');
});

test('whole lines are found when quotes, dashes or the composition of letters differ', () => {
  expect(replaceOnce('x\n  say(“it’s – cafe\u0301”)\n', 'say("it\'s - caf\u00e9")', 'say("no")')).toEqual({
    newText: 'x\n  say("no")\n',
    line: 2,
    tolerated: 'white space and typography',
  });
  // Lines that differ in white space alone go first.
  expect(replaceOnce("a  ’\na  '\n", "a '", 'b').line).toBe(2);
  expect(() => replaceOnce('“a”\n„a“\n', '"a"', 'b')).toThrow(
    expect.objectContaining({ code: 'ambiguous-match' }),
  );
});

test('lines matched by ignoring white space must be unique and complete', () => {
  expect(() => replaceOnce(' a b\n\ta  b\n', 'a   b', 'y')).toThrow(
    expect.objectContaining({ code: 'ambiguous-match' }),
  );
  expect(() => replaceOnce('a b c\n', 'a  b', 'y')).toThrow(expect.objectContaining({ code: 'no-match' }));
  expect(() => replaceOnce('a\n\nb\n', ' \n \n', 'y')).toThrow(expect.objectContaining({ code: 'no-match' }));
});
