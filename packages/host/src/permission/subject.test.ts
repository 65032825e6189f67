import { expect, test } from 'vitest';
import { subjectOf } from './subject.ts';

test('the files of a call are those of its diffs, its locations and its input, absolute and each once', () => {
  const subject = subjectOf(
    {
      toolCallId: 'a',
      kind: 'edit',
      content: [
        { type: 'diff', path: '/project/a', newText: '' },
        { type: 'content', content: { type: 'text', text: '/project/not-me' } },
      ],
      locations: [{ path: '/project/a' }, { path: '/project/b' }],
      rawInput: { file_path: 'c', from: '/project/d', text: '/project/not-me-either' },
    },
    '/project',
  );

  expect(subject).toEqual({ kind: 'edit', paths: ['/project/a', '/project/b', '/project/c', '/project/d'] });
});

test('a call that shows nothing has neither files nor a command', () => {
  expect(subjectOf({ toolCallId: 'a' }, '/project')).toEqual({ isOpaque: true, paths: [] });
});

const text = (words: string): object => ({ type: 'content', content: { type: 'text', text: words } });

test.each<[object, boolean]>([
  [{ title: 'bash' }, true],
  [{ title: 'bash', kind: 'execute' }, true],
  [{ title: 'bash', kind: 'other', name: 'bash' }, true],
  [{ title: 'bash', kind: 'execute', rawInput: {} }, true],
  [{ title: 'bash', kind: 'execute', rawInput: null, content: [], locations: [] }, true],
  [{ title: 'bash', content: [text(' bash\n')] }, true],
  [{ title: 'bash', content: [text('ls -la')] }, false],
  [{ title: 'bash', kind: 'execute', rawInput: { command: 'ls' } }, false],
  [{ title: 'Now', name: 'mcp__time__now', rawInput: {} }, false],
  [{ title: 'Read', kind: 'read' }, false],
  [{ title: 'Look', locations: [{ path: '/a' }] }, false],
])('%j is opaque: %s', (call, isOpaque) => {
  expect(subjectOf({ toolCallId: 'a', ...call }, '/project').isOpaque === true).toBe(isOpaque);
});

test('the command of a call is in its input', () => {
  const subject = subjectOf({ toolCallId: 'a', kind: 'execute', rawInput: { command: 'ls' } }, '/project');

  expect(subject).toEqual({ kind: 'execute', command: 'ls', paths: [] });
});

test.each([
  [{ command: 'ls', cwd: 'src' }, '/project/src'],
  [{ command: 'ls', workdir: '/elsewhere' }, '/elsewhere'],
  [{ command: 'ls', cwd: 1, workdir: 'docs' }, '/project/docs'],
])('the command of %j starts in %s', (rawInput, directory) => {
  const subject = subjectOf({ toolCallId: 'a', kind: 'execute', rawInput }, '/project');

  expect(subject).toEqual({ kind: 'execute', command: 'ls', directory, paths: [] });
});
